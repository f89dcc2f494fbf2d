// The script of a report as one HTML file: sorts tables, draws patterns to zoom and pan, and switches between light and
// dark. It loads nothing. Lines that are comments alone do not stand in reports.
(() => {
'use strict';

const root = document.documentElement;
const LEVELS = 16;
const numbers = new Intl.NumberFormat('en-US');

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// ---- light and dark ----

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const repaint = new Set();
let printing = false;

const isDark = () => !printing && (root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches);
const paintAll = () => repaint.forEach(paint => paint());

const addSwitch = () => {
  const button = make('button', {type: 'button', class: 'theme'});
  const name = () => { button.textContent = isDark() ? 'Light colours' : 'Dark colours'; };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    name();
    paintAll();
  });
  prefersDark.addEventListener('change', () => { name(); paintAll(); });
  name();
  document.querySelector('header').append(button);
};

// Paper is light, and has room for what is folded away on the screen.
const addPrinting = () => {
  addEventListener('beforeprint', () => {
    printing = true;
    for (const details of document.querySelectorAll('details:not([open])')) {
      details.open = true;
      details.dataset.folded = '';
    }
    paintAll();
  });
  addEventListener('afterprint', () => {
    printing = false;
    for (const details of document.querySelectorAll('details[data-folded]')) {
      details.open = false;
      delete details.dataset.folded;
    }
    paintAll();
  });
};

// ---- tables ----

// What a cell is sorted by: its number, or its words; undefined numbers are null and always come last.
const keyOf = (row, k) => {
  const cell = row.cells[k];
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  const words = cell.textContent.trim();
  return words === '-' || words === '' ? null : words;
};

const compare = (a, b) => typeof a === 'number' && typeof b === 'number'
  ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});

const sortBy = (table, heading, k) => {
  const before = heading.getAttribute('aria-sort');
  const descending = before ? before === 'ascending' : heading.dataset.largest !== undefined;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const rows = [...body.rows].map(row => ({row, key: keyOf(row, k)}));
  rows.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
    return descending ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  body.append(...rows.map(({row}) => row));
};

const makeSortable = table => {
  [...table.tHead.rows[0].cells].forEach((heading, k) => {
    const button = make('button', {type: 'button'}, ...heading.childNodes);
    if (heading.title) button.title = heading.title;
    heading.append(button);
    button.addEventListener('click', () => sortBy(table, heading, k));
  });
};

// ---- patterns: the cells ----

const inflate = async letters => {
  const raw = atob(letters.trim());
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// Numbers are written in groups of seven bits, the lowest first; all groups but the last have the eighth bit. There are the
// cells of each row, each row's first column as its difference from that of the row before (with the sign as the lowest bit),
// the columns without entries between cells, and, unless all are 1, the entries of each cell less 1.
const readCells = (bytes, rows, number, ones) => {
  let at = 0;
  const next = () => {
    let value = bytes[at++];
    if (value < 128) return value;
    value -= 128;
    for (let unit = 128, group; ; unit *= 128) {
      group = bytes[at++];
      value += (group & 127) * unit;
      if (group < 128) return value;
    }
  };
  const start = new Int32Array(rows + 1), col = new Int32Array(number);
  const count = ones ? null : new Float64Array(number);
  for (let r = 0; r < rows; r++) start[r + 1] = start[r] + next();
  for (let r = 0, first = 0; r < rows; r++) {
    if (start[r] === start[r + 1]) continue;
    const step = next();
    first += step % 2 ? -(step + 1) / 2 : step / 2;
    col[start[r]] = first;
  }
  for (let r = 0; r < rows; r++)
    for (let k = start[r] + 1; k < start[r + 1]; k++) col[k] = col[k - 1] + next() + 1;
  if (count) for (let k = 0; k < number; k++) count[k] = next() + 1;
  if (at !== bytes.length) throw new Error('the cells do not end where they should');
  return {start, col, count};
};

// The first cell of row r in this column or behind it.
const seek = (cells, r, col) => {
  let low = cells.start[r], high = cells.start[r + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells.col[middle] < col) low = middle + 1; else high = middle;
  }
  return low;
};

// The entries of high x wide dots of `each` x `each` cells, from cell (top, left) on.
const countDots = (cells, rows, top, left, each, high, wide) => {
  const counts = new Float64Array(high * wide);
  const end = Math.min(rows, top + high * each), right = left + wide * each;
  for (let r = top; r < end; r++) {
    const base = Math.floor((r - top) / each) * wide;
    for (let k = left ? seek(cells, r, left) : cells.start[r]; k < cells.start[r + 1]; k++) {
      const c = cells.col[k];
      if (c >= right) break;
      counts[base + Math.floor((c - left) / each)] += cells.count ? cells.count[k] : 1;
    }
  }
  return counts;
};

// ---- patterns: colours ----

// The scale of src/drawing/shade.h: both ends at powers of two, four octaves or more between them.
const scaleOf = (least, most) => {
  let high = 2 ** Math.ceil(Math.log2(most)), low = 2 ** Math.floor(Math.log2(least));
  if (low > high / 16) low = high / 16;
  return {low, high, level: density => {
    const level = Math.round((LEVELS - 1) * Math.log(density / low) / Math.log(high / low));
    return Math.max(0, Math.min(LEVELS - 1, level));
  }};
};

// One hue whose lightness goes one way, so that it can be told without colours as well.
const ramps = {
  light: {empty: [255, 255, 255], ends: [[165, 200, 232], [58, 118, 186], [6, 32, 84]], grid: '#dfe3e8', cursor: '#c2410c'},
  dark: {empty: [16, 19, 24], ends: [[38, 74, 116], [88, 152, 212], [228, 244, 255]], grid: '#262c35', cursor: '#fb923c'},
};

const colourOf = (ramp, level) => {
  const place = level / (LEVELS - 1) * 2, k = place < 1 ? 0 : 1, share = place - k;
  return ramp.ends[k].map((from, c) => Math.round(from + (ramp.ends[k + 1][c] - from) * share));
};

// ---- patterns: to zoom and pan ----

const range = (what, first, end) => end - first === 1
  ? `${what} ${numbers.format(end)}` : `${what}s ${numbers.format(first + 1)}\u2013${numbers.format(end)}`;

const percent = share => `${share >= 0.1 ? (100 * share).toFixed(1) : (100 * share).toPrecision(2)}%`;

class Pattern {
  constructor(figure) {
    const data = figure.dataset;
    this.figure = figure;
    this.rows = Number(data.rows);
    this.cols = Number(data.cols);
    this.rowStep = Number(data.rowStep);
    this.colStep = Number(data.colStep);
    this.high = Math.ceil(this.rows / this.rowStep);
    this.wide = Math.ceil(this.cols / this.colStep);
    this.cursor = {r: 0, c: 0};
  }

  async open() {
    const store = this.figure.querySelector('script.cells');
    try {
      const bytes = await inflate(store.textContent);
      this.cells = readCells(bytes, this.high, Number(this.figure.dataset.cells), this.figure.dataset.ones !== undefined);
    } catch (error) {
      this.figure.append(make('p', {class: 'bad'}, `This browser cannot unpack the pattern: ${error.message}`));
      this.figure.dataset.ready = 'failed';
      return;
    }
    store.remove();
    this.build();
    this.fit();
    this.figure.dataset.ready = '';
    repaint.add(() => { this.paint(); this.draw(); });
    new ResizeObserver(() => this.resized()).observe(this.figure);
  }

  build() {
    const name = this.figure.dataset.name;
    this.canvas = make('canvas', {tabindex: '0', role: 'application', 'aria-roledescription': 'pattern to zoom and pan',
      'aria-label': `Pattern of ${name}. Arrows move, plus and minus zoom, zero shows all.`});
    this.readout = make('p', {class: 'readout'});
    this.where = make('p', {class: 'where'});
    this.live = make('p', {class: 'aside', 'aria-live': 'polite'});
    this.legend = make('canvas', {class: 'ramp', width: LEVELS, height: 1, 'aria-hidden': 'true'});
    this.low = make('span');
    this.highest = make('span');
    const tools = make('div', {class: 'tools', role: 'toolbar', 'aria-label': `Zoom of ${name}`});
    for (const [sign, words, run] of [['+', 'Zoom in', () => this.zoom(1)], ['\u2212', 'Zoom out', () => this.zoom(-1)],
      ['All', 'Show all', () => this.fit()]]) {
      const button = make('button', {type: 'button', title: words, 'aria-label': words}, sign);
      button.addEventListener('click', () => { run(); this.say(); });
      tools.append(button);
    }
    tools.append(make('span', {class: 'legend'}, this.low, this.legend, this.highest));
    const still = this.figure.querySelector('img');
    if (still) still.remove();
    this.figure.prepend(tools, this.canvas, this.readout, this.where, this.live);
    this.canvas.addEventListener('keydown', event => this.pressed(event));
    this.listenToPointer();
  }

  listenToPointer() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener('pointerdown', event => {
      canvas.focus({preventScroll: true});
      canvas.setPointerCapture(event.pointerId);
      drag = {x: event.clientX, y: event.clientY, top: this.top, left: this.left};
    });
    canvas.addEventListener('pointermove', event => {
      if (drag && event.buttons) {
        const pixels = this.each * this.ratio / this.size;
        this.scrollTo(drag.top - (event.clientY - drag.y) * pixels, drag.left - (event.clientX - drag.x) * pixels);
      }
      this.point(event);
    });
    canvas.addEventListener('pointerup', () => { drag = null; });
    canvas.addEventListener('pointercancel', () => { drag = null; });
    canvas.addEventListener('dblclick', event => { this.point(event); this.zoom(1); });
    canvas.addEventListener('wheel', event => {
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      this.point(event);
      this.zoom(event.deltaY < 0 ? 1 : -1);
    }, {passive: false});
  }

  resized() {
    if (this.figure.clientWidth && this.figure.clientWidth !== this.across) this.fit();
  }

  // All of it in the canvas, which is as large as that takes: dots of as few cells as possible, or cells of as many pixels.
  fit() {
    this.across = this.figure.clientWidth || 480;
    this.ratio = devicePixelRatio || 1;
    this.unit = Math.max(1, Math.round(this.ratio));
    const across = Math.max(1, Math.floor(this.across * this.ratio));
    const down = Math.max(24 * this.unit, Math.round(across * Math.min(1, Math.max(0.12, this.high / this.wide))));
    const dots = pixels => Math.max(1, Math.floor(pixels / this.unit));
    const each = Math.ceil(Math.max(this.high / dots(down), this.wide / dots(across), 1));
    const most = Math.floor(Math.min(down / this.high, across / this.wide));
    this.fitEach = this.each = each;
    this.fitSize = this.size = each > 1 ? this.unit : Math.max(this.unit, Math.min(48 * this.unit, most));
    this.canvas.width = Math.max(1, Math.ceil(this.wide / each)) * this.size;
    this.canvas.height = Math.max(1, Math.ceil(this.high / each)) * this.size;
    this.canvas.style.width = `${this.canvas.width / this.ratio}px`;
    this.canvas.style.height = `${this.canvas.height / this.ratio}px`;
    this.scrollTo(0, 0);
  }

  dotsDown() { return Math.ceil(this.canvas.height / this.size); }
  dotsAcross() { return Math.ceil(this.canvas.width / this.size); }

  // Dots begin at multiples of their cells, so that they stay the same ones wherever the picture is moved.
  scrollTo(top, left) {
    const hold = (from, dots, cells) => {
      const last = Math.ceil(Math.max(0, cells - Math.floor(dots) * this.each) / this.each);
      return Math.max(0, Math.min(Math.round(from / this.each), last)) * this.each;
    };
    this.top = hold(top, this.canvas.height / this.size, this.high);
    this.left = hold(left, this.canvas.width / this.size, this.wide);
    this.counts = countDots(this.cells, this.high, this.top, this.left, this.each, this.dotsDown(), this.dotsAcross());
    this.paint();
    this.draw();
  }

  // Zoom by two about the cursor, whose dot stays where it is.
  zoom(direction) {
    const {each, size} = this;
    if (direction > 0) {
      if (each > 1) this.each = Math.floor(each / 2);
      else this.size = Math.min(48 * this.unit, size * 2);
    } else if (each === 1 && size > this.unit) {
      this.size = Math.max(this.unit, Math.floor(size / 2));
      if (this.fitEach === 1) this.size = Math.max(this.fitSize, this.size);
    } else {
      this.each = Math.min(this.fitEach, each * 2);
    }
    if (this.each === this.fitEach && this.size <= this.fitSize) return this.fit();
    // The number of the dot that is then where the cursor was, but not one that the rim cuts.
    const dotAt = (cell, first, pixels) => Math.max(0, Math.min(Math.floor((cell - first) / each * size / this.size),
      Math.floor(pixels / this.size) - 1));
    const start = (cell, first, pixels) => (Math.floor(cell / this.each) - dotAt(cell, first, pixels)) * this.each;
    return this.scrollTo(start(this.cursor.r, this.top, this.canvas.height), start(this.cursor.c, this.left, this.canvas.width));
  }

  // The dot of the cursor, as the rows and columns of cells that it has.
  dot() {
    const top = Math.floor(this.cursor.r / this.each) * this.each, left = Math.floor(this.cursor.c / this.each) * this.each;
    return {top, left, y: (top - this.top) / this.each, x: (left - this.left) / this.each};
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), scale = this.each * this.ratio / this.size;
    this.put(this.top + (event.clientY - box.top) * scale, this.left + (event.clientX - box.left) * scale);
    this.draw();
  }

  put(r, c) {
    this.cursor.r = Math.max(0, Math.min(this.high - 1, Math.floor(r)));
    this.cursor.c = Math.max(0, Math.min(this.wide - 1, Math.floor(c)));
  }

  move(down, across) {
    const {top, left} = this.dot();
    this.put(top + down * this.each, left + across * this.each);
    const {y, x} = this.dot();
    const high = Math.floor(this.canvas.height / this.size), wide = Math.floor(this.canvas.width / this.size);
    if (y < 0 || y >= high || x < 0 || x >= wide)
      this.scrollTo(this.cursor.r - high * this.each / 2, this.cursor.c - wide * this.each / 2);
    else this.draw();
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const far = event.shiftKey ? 16 : 1, page = Math.max(1, Math.floor(this.dotsDown() / 2));
    const keys = {ArrowUp: () => this.move(-far, 0), ArrowDown: () => this.move(far, 0), ArrowLeft: () => this.move(0, -far),
      ArrowRight: () => this.move(0, far), PageUp: () => this.move(-page, 0), PageDown: () => this.move(page, 0),
      Home: () => this.move(0, -this.wide), End: () => this.move(0, this.wide), '+': () => this.zoom(1), '=': () => this.zoom(1),
      '-': () => this.zoom(-1), '_': () => this.zoom(-1), 0: () => this.fit()};
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
    this.say();
  }

  // The rows and columns of the matrix that a dot has.
  places(top, left) {
    return {first: top * this.rowStep, end: Math.min(this.rows, (top + this.each) * this.rowStep),
      from: left * this.colStep, to: Math.min(this.cols, (left + this.each) * this.colStep)};
  }

  words() {
    const {top, left, y, x} = this.dot();
    const {first, end, from, to} = this.places(top, left);
    const count = this.counts[y * this.dotsAcross() + x] || 0, positions = (end - first) * (to - from);
    const place = `${range('Row', first, end)}, ${range('column', from, to)}: `;
    if (positions === 1) return place + (count ? 'an entry' : 'no entry');
    return `${place}${numbers.format(count)} ${count === 1 ? 'entry' : 'entries'} in ${numbers.format(positions)} positions`
      + (count ? ` (${percent(count / positions)})` : '');
  }

  say() { this.live.textContent = this.words(); }

  // Make the picture of the dots, which stays as long as they and the colours do.
  paint() {
    const ramp = isDark() ? ramps.dark : ramps.light;
    const high = this.dotsDown(), wide = this.dotsAcross();
    const inside = {high: Math.min(high, Math.ceil((this.high - this.top) / this.each)),
      wide: Math.min(wide, Math.ceil((this.wide - this.left) / this.each))};
    const scale = this.density(inside, wide);
    const picture = new ImageData(inside.wide, inside.high);
    const colours = Array.from({length: LEVELS}, (_, level) => colourOf(ramp, level));
    for (let y = 0, at = 0; y < inside.high; y++)
      for (let x = 0; x < inside.wide; x++, at += 4) {
        const count = this.counts[y * wide + x];
        const colour = count ? colours[scale.level(count / this.area(y, x))] : ramp.empty;
        picture.data[at] = colour[0];
        picture.data[at + 1] = colour[1];
        picture.data[at + 2] = colour[2];
        picture.data[at + 3] = 255;
      }
    this.inside = inside;
    this.sheet = make('canvas', {width: inside.wide, height: inside.high});
    this.sheet.getContext('2d').putImageData(picture, 0, 0);
    const legend = this.legend.getContext('2d');
    colours.forEach((colour, level) => {
      legend.fillStyle = `rgb(${colour.join()})`;
      legend.fillRect(level, 0, 1, 1);
    });
    this.low.textContent = percent(scale.low);
    this.highest.textContent = `${percent(scale.high)} of positions`;
  }

  area(y, x) {
    const {first, end, from, to} = this.places(this.top + y * this.each, this.left + x * this.each);
    return (end - first) * (to - from);
  }

  density(inside, wide) {
    let least = Infinity, most = 0;
    for (let y = 0; y < inside.high; y++)
      for (let x = 0; x < inside.wide; x++) {
        const count = this.counts[y * wide + x];
        if (!count) continue;
        const density = count / this.area(y, x);
        if (density < least) least = density;
        if (density > most) most = density;
      }
    return most ? scaleOf(least, most) : scaleOf(1, 1);
  }

  // Show the picture with the cursor, and what is under it.
  draw() {
    const context = this.canvas.getContext('2d'), {size, inside} = this;
    const ramp = isDark() ? ramps.dark : ramps.light;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.sheet, 0, 0, inside.wide * size, inside.high * size);
    if (size >= 8 * this.unit) {
      context.fillStyle = ramp.grid;
      for (let y = 1; y < inside.high; y++) context.fillRect(0, y * size, inside.wide * size, 1);
      for (let x = 1; x < inside.wide; x++) context.fillRect(x * size, 0, 1, inside.high * size);
    }
    const {y, x, top, left} = this.dot();
    const rim = 2 * this.unit;
    context.strokeStyle = ramp.cursor;
    context.lineWidth = rim;
    context.strokeRect(x * size - rim / 2, y * size - rim / 2, size + rim, size + rim);
    this.readout.textContent = this.words();
    const {first, from} = this.places(this.top, this.left);
    const end = Math.min(this.rows, (this.top + inside.high * this.each) * this.rowStep);
    const to = Math.min(this.cols, (this.left + inside.wide * this.each) * this.colStep);
    const {end: dotEnd, to: dotTo, first: dotFirst, from: dotFrom} = this.places(top, left);
    this.where.textContent = `Shown: ${range('row', first, end)}, ${range('column', from, to)}. A dot is `
      + `${numbers.format(dotEnd - dotFirst)} \u00d7 ${numbers.format(dotTo - dotFrom)} positions.`;
  }
}

// Patterns are unpacked when they come near: a page may have many.
const addPatterns = () => {
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      new Pattern(entry.target).open();
    }
  }, {rootMargin: '300px'});
  document.querySelectorAll('figure.pattern').forEach(figure => seen.observe(figure));
};

// The index is known when all matrices are: it stands at the end of the file, and at the top of the page.
const moveIndex = () => {
  const index = document.getElementById('index');
  if (!index) return;
  document.querySelector('main').before(index);
  document.title = index.dataset.title;
};

moveIndex();
addSwitch();
addPrinting();
document.querySelectorAll('table.sort').forEach(makeSortable);
document.querySelectorAll('input.all').forEach(box => box.addEventListener('change', () =>
  box.closest('.list').classList.toggle('wide', box.checked)));
addPatterns();
})();
