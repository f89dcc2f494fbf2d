// What browser.py puts around the script of a report: it uses the page as people do, and sends back what it saw.
'use strict';
const probeErrors = [];
addEventListener('error', event => probeErrors.push(event.message));
addEventListener('unhandledrejection', event => probeErrors.push(String(event.reason)));
addEventListener('securitypolicyviolation', event => probeErrors.push(`blocked: ${event.blockedURI} ${event.violatedDirective}`));
// ---- behind the page ----
(async () => {
  const answer = {readouts: [], colours: [], dots: 0, tables: [], themes: [], away: [], arrows: [], stills: []};
  const pause = time => new Promise(done => setTimeout(done, time));
  const figure = document.querySelector('figure.pattern');
  // What is there without scripts, since patterns are unpacked later: each still picture with the shape of its pixels.
  for (const still of document.querySelectorAll('figure.pattern img.still')) {
    const box = still.getBoundingClientRect();
    answer.stills.push([box.width / box.height, still.getAttribute('width') / still.getAttribute('height')]);
  }
  while (figure.dataset.ready === undefined) await pause(10);
  answer.ready = Math.round(performance.now());
  const canvas = figure.querySelector('canvas[tabindex]'), readout = figure.querySelector('.readout');
  const read = () => answer.readouts.push(readout.textContent);
  // The rows and columns of the cursor have to be among those that are shown.
  const rangeIn = (words, what) => {
    const match = RegExp(`${what}s? ([\\d,]+)(?:\u2013([\\d,]+))?`, 'i').exec(words);
    const number = digits => Number(digits.replaceAll(',', ''));
    return [number(match[1]), number(match[2] || match[1])];
  };
  const lookForCursor = after => {
    const where = figure.querySelector('.where').textContent;
    for (const what of ['row', 'column']) {
      const [first, last] = rangeIn(readout.textContent, what), [from, to] = rangeIn(where, what);
      if (first < from || last > to) answer.away.push(`${after}: ${readout.textContent} is outside of ${where}`);
    }
  };
  const press = (key, shiftKey = false) => {
    canvas.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true, cancelable: true}));
    lookForCursor(key);
    read();
  };
  const point = (x, y) => {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + x, clientY: box.top + y, bubbles: true}));
  };

  // Pixels in the middle of dots of one place: light background where the dot has no entry, and some colour where it has.
  const lookAtColours = () => {
    const context = canvas.getContext('2d'), box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    for (let y = 3.5; y < box.height; y += 67)
      for (let x = 3.5; x < box.width; x += 71) {
        point(x, y);
        const words = readout.textContent;
        if (/^Rows/.test(words) && !/ 0 entries/.test(words)) continue;
        const empty = / 0 entries|no entry/.test(words);
        point(box.width - 1, box.height - 1);
        const [r, g, b, a] = context.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data;
        if (a === 0) continue;
        const white = r === 255 && g === 255 && b === 255, grid = r === 0xdf && g === 0xe3;
        answer.dots++;
        if (!grid && empty !== white) answer.colours.push(`${words} is rgb(${r}, ${g}, ${b})`);
      }
  };

  read();
  for (const [x, y] of [[5, 5], [100, 40], [200, 210], [333, 280]]) { point(x, y); read(); }
  for (const key of ['Home', 'End', 'PageDown', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'PageUp']) press(key);
  point(150, 160);
  lookAtColours();
  point(120, 130);
  for (let k = 0; k < 14; k++) {
    press('+');
    press(k % 2 ? 'ArrowRight' : 'ArrowDown', k % 3 === 0);
    point(30 + 9 * k, 200 - 7 * k);
    read();
  }
  lookAtColours();
  // Zoom in and out about positions at the rims, too, by clicks on the buttons.
  const [zoomIn, zoomOut] = figure.querySelectorAll('.tools button');
  for (const [across, down] of [[0, 0], [0.5, 0.0006], [0.0006, 0.5], [0.997, 0.5], [0.5, 0.997], [0.37, 0.61], [0.999, 0.999]]) {
    press('0');
    for (const button of [zoomIn, zoomIn, zoomIn, zoomIn, zoomOut, zoomIn, zoomIn]) {
      const box = canvas.getBoundingClientRect();
      point(across * box.width, down * box.height);
      button.click();
      lookForCursor(`${button.textContent} at ${across}, ${down}`);
    }
  }
  read();
  press('Home');
  press('ArrowRight', true);
  for (let k = 0; k < 6; k++) { press('-'); press('ArrowUp'); }
  press('0');
  press('ArrowDown');
  answer.live = figure.querySelector('[aria-live]').textContent;

  for (const table of document.querySelectorAll('table.sort')) {
    const headings = [...table.tHead.rows[0].cells], rows = () => [...table.tBodies[0].rows];
    const names = () => rows().map(row => row.cells[0].textContent + row.rowIndex * 0);
    const found = {name: headings[0].textContent, names: names(), clicks: []};
    headings.forEach((heading, k) => {
      for (let click = 0; click < 2; click++) {
        const button = heading.querySelector('button');
        if (!button) continue;
        button.click();
        const arrow = getComputedStyle(button, '::after').content;
        if (arrow !== (heading.getAttribute('aria-sort') === 'ascending' ? '" \u2191"' : '" \u2193"'))
          answer.arrows.push(`${heading.getAttribute('aria-sort')}: ${arrow}`);
        const values = rows().map(row => {
          const {dataset, textContent} = row.cells[k];
          return dataset.v !== undefined ? Number(dataset.v) : /^-?$/.test(textContent.trim()) ? null : textContent;
        });
        found.clicks.push({heading: heading.textContent, sort: heading.getAttribute('aria-sort'), values, names: names()});
      }
    });
    answer.tables.push(found);
  }

  for (let k = 0; k < 3; k++) {
    answer.themes.push(getComputedStyle(document.body).backgroundColor);
    document.querySelector('button.theme').click();
  }
  answer.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  answer.width = innerWidth;
  dispatchEvent(new Event('beforeprint'));
  dispatchEvent(new Event('afterprint'));
  answer.hacked = String(window.hacked || '');
  answer.strange = [...document.querySelectorAll('body script:not(.cells), img:not(.still), iframe, object, link:not([rel=icon]), form')]
    .map(element => element.outerHTML.slice(0, 80)).filter(words => !/^<script>\n?\(/.test(words)).join();
  answer.resources = performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith('data:'));
  answer.errors = probeErrors;
  await fetch('/answer', {method: 'POST', body: JSON.stringify(answer)});
})().catch(error => fetch('/answer', {method: 'POST', body: JSON.stringify({errors: [String(error), error.stack], readouts: [''],
  colours: [], dots: 0, tables: [], themes: ['', '', ''], away: [], arrows: [], stills: [], overflow: 0, width: 0, resources: [], live: '', hacked: '', strange: '', ready: 0})}));
