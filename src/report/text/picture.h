/* The pattern of a matrix as a picture of characters in a text report. */
#ifndef SPARSIGHT_REPORT_TEXT_PICTURE_H
#define SPARSIGHT_REPORT_TEXT_PICTURE_H

#include "base/text.h"
#include "session/session.h"

/* The parts of a session that the picture needs. */
#define TEXT_PICTURE_NEEDS SESSION_PYRAMID

/* Append a section with the pattern of a case, in Braille or in ASCII. Appends nothing if the case has no
 * pattern: it is empty, or the entries are unavailable. */
enum status text_picture(const struct session *session, const struct matrix_case *of, bool ascii,
                         struct text *text);

#endif
