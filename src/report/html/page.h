/* The style and the script of an HTML report, made from page.css and page.js when the program is built. */
#ifndef SPARSIGHT_REPORT_HTML_PAGE_H
#define SPARSIGHT_REPORT_HTML_PAGE_H

/* Lines with their line ends; the last element is NULL. */
extern const char *const html_style[], *const html_script[];

#endif
