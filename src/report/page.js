'use strict';
// The viewer of a report, its search and its filter. All is in the page; nothing is loaded.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const articles = all('article'), links = all('nav li');
  const dialog = document.querySelector('dialog'), tools = document.querySelector('.tools');
  const search = tools.querySelector('[type=search]'), states = all('[data-class]', tools);
  const found = tools.querySelector('output'), details = document.querySelector('details');
  const stage = dialog.querySelector('.stage'), canvas = dialog.querySelector('canvas');
  const title = dialog.querySelector('.title'), values = dialog.querySelector('output');
  const slider = dialog.querySelector('input'), buttons = all('[data-key]', dialog);
  const legend = document.querySelector('.legend')?.cloneNode(true);
  const context = canvas.getContext('2d');
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const modes = { g: 'golden', v: 'picture', d: 'differences', s: 'swipe', b: 'blink', o: 'onion' };
  const state = { at: -1, mode: 'picture', zoom: 1, split: 0.5, blink: false };
  document.documentElement.classList.add('js');
  if (legend) stage.before(legend);

  // Texts to search, read once: pages may have thousands of results.
  const items = [...articles, ...all('.thumbs figure')].map((element, i) => ({
    element, link: links[i], kind: element.className,
    text: all('bdi, .rule, figcaption', element).map((part) => part.textContent).join(' ').toLowerCase(),
  }));
  const filter = () => {
    const wanted = search.value.toLowerCase();
    const shown = states.filter((box) => box.checked).map((box) => box.dataset.class);
    for (const { element, link, kind, text } of items) {
      element.hidden = !shown.includes(kind) || !text.includes(wanted);
      if (link) link.hidden = element.hidden;
    }
    const count = items.filter(({ element }) => !element.hidden).length;
    found.textContent = count === items.length ? '' : count + ' of ' + items.length;
    if (details && wanted) details.open = true;
  };

  const image = (name) => articles[state.at].querySelector('.' + name + ' img');

  // A pixel of a picture as it is stored; what a canvas gives back may be off by a code where alpha
  // is low, so that colours there are those that are shown. Outside null.
  const codesOf = (name, x, y) => {
    const source = image(name);
    if (!source || !(x >= 0 && y >= 0 && x < source.naturalWidth && y < source.naturalHeight)) return null;
    pixel.clearRect(0, 0, 1, 1);
    pixel.drawImage(source, -x, -y);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };

  const draw = () => {
    const { mode, zoom } = state, visible = articles.filter((article) => !article.hidden);
    slider.hidden = mode !== 'swipe' && mode !== 'onion';
    slider.value = state.split * 100;
    if (legend) legend.hidden = mode !== 'differences';
    canvas.style.touchAction = mode === 'swipe' ? 'none' : '';
    title.textContent = articles[state.at].querySelector('bdi').textContent + ' (' +
      (visible.indexOf(articles[state.at]) + 1) + ' of ' + visible.length + ', ' + mode + ', ' +
      Number(zoom.toPrecision(3)) + 'x)';
    for (const button of buttons) button.setAttribute('aria-pressed', modes[button.dataset.key] === mode);
    const golden = image('golden'), picture = image('picture'), differences = image('differences');
    const shown = { golden, differences, blink: state.blink && golden }[mode] || picture || golden;
    canvas.hidden = !shown || !shown.naturalWidth;
    if (canvas.hidden) return;
    canvas.width = shown.naturalWidth;
    canvas.height = shown.naturalHeight;
    canvas.style.width = shown.naturalWidth * zoom + 'px';
    canvas.style.imageRendering = zoom < 1 ? 'auto' : 'pixelated';
    context.drawImage(shown, 0, 0);
    if (slider.hidden || !golden || !golden.naturalWidth) return;
    const edge = mode === 'swipe' ? Math.round(canvas.width * state.split) : canvas.width;
    if (mode === 'swipe') context.clearRect(0, 0, edge, canvas.height);
    context.globalAlpha = mode === 'onion' ? state.split : 1;
    context.drawImage(golden, 0, 0, edge, canvas.height, 0, 0, edge, canvas.height);
    context.fillStyle = '#f0f';
    context.fillRect(edge, 0, Math.max(1, 1 / zoom), canvas.height);
  };

  const set = (change) => { Object.assign(state, change); draw(); };
  setInterval(() => { if (dialog.open && state.mode === 'blink') set({ blink: !state.blink }); }, 500);

  // A page that was opened as a file may not have the clipboard: then the text is selected.
  const copy = (button) => {
    const code = button.parentNode.querySelector('code');
    const done = () => { button.textContent = 'copied'; };
    const select = () => getSelection().selectAllChildren(code);
    (navigator.clipboard?.writeText(code.textContent) ?? Promise.reject()).then(done, select);
  };

  const show = (x, y) => {
    const golden = codesOf('golden', x, y), picture = codesOf('picture', x, y);
    values.textContent = 'x ' + x + '  y ' + y + (golden ? '   golden ' + golden.join(' ') : '') +
      (picture ? '   picture ' + picture.join(' ') : '') +
      (golden && picture ? '   difference ' + golden.map((code, i) => picture[i] - code).join(' ') : '');
  };

  // Puts the difference in the middle of the stage; without a zoom the largest that shows it with some of
  // what is around it, from the whole picture up to 8x. `whole`: all of the picture is shown.
  const fit = (width, height) => {
    const zoom = Math.min(8, stage.clientWidth / width, stage.clientHeight / height);
    return zoom > 1 ? Math.floor(zoom) : zoom;
  };
  const zoomTo = (zoom, whole) => {
    const [x, y, width, height] = (articles[state.at].dataset.at || '0 0 0 0').split(' ').map(Number);
    draw();
    const least = canvas.hidden ? 1 : fit(canvas.width, canvas.height);
    const around = width && !whole ? Math.max(least, fit(width * 1.5 + 16, height * 1.5 + 16)) : least;
    set({ zoom: zoom ? Math.min(16, Math.max(0.05, zoom)) : around });
    stage.scrollLeft = (x + width / 2) * state.zoom - stage.clientWidth / 2;
    stage.scrollTop = (y + height / 2) * state.zoom - stage.clientHeight / 2;
    if (width) show(x + (width >> 1), y + (height >> 1));
  };
  const setMode = (mode) => {
    const middle = (stage.scrollLeft + stage.clientWidth / 2) / (canvas.clientWidth || 1);
    set({ mode, split: mode === 'swipe' && middle < 1 ? middle : 0.5 });
  };
  const open = (at, mode, zoom) => {
    if (!articles[at]) return;
    for (const article of articles) article.classList.remove('current');
    articles[at].classList.add('current');
    values.textContent = articles[at].querySelector('.rule').textContent;
    if (!dialog.open) dialog.showModal();
    dialog.focus();
    set({ at, mode: mode || state.mode, fresh: true });
    zoomTo(zoom);
    for (const source of all('img', articles[at])) {
      source.loading = 'eager';
      source.decode().then(() => { if (state.at === at && state.fresh) zoomTo(zoom); else draw(); }, () => {});
    }
  };
  const step = (by) => {
    let at = state.at + by;
    while (articles[at] && articles[at].hidden) at += by;
    open(at);
  };

  const point = (event) => {
    const box = canvas.getBoundingClientRect(), x = (event.clientX - box.left) / state.zoom;
    show(Math.floor(x), Math.floor((event.clientY - box.top) / state.zoom));
    if (state.mode === 'swipe' && event.buttons)
      set({ split: Math.min(1, Math.max(0, x / canvas.width)) });
  };

  const close = () => dialog.close(), focus = () => { close(); search.focus(); };
  const next = () => step(1), last = () => step(-1), larger = () => zoomTo(state.zoom * 2);
  const keys = { j: next, n: next, ArrowRight: next, k: last, p: last, ArrowLeft: last, '/': focus };
  const inside = {
    ' ': () => setMode(state.mode === 'golden' ? 'picture' : 'golden'), '+': larger, '=': larger,
    '-': () => zoomTo(state.zoom / 2), 0: () => zoomTo(0, true), 1: () => zoomTo(1), 8: () => zoomTo(8),
  };
  const act = (key) => {
    if (keys[key]) keys[key]();
    else if (dialog.open && inside[key]) { state.fresh = false; inside[key](); }
    else if (dialog.open && modes[key]) setMode(modes[key]);
    else return false;
    return true;
  };

  // One listener for all: a page may have thousands of pictures and commands.
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.pictures img'))
      open(articles.indexOf(target.closest('article')), target.parentNode.className);
    else if (target.matches('.copy')) copy(target);
    else if (target.dataset.key) act(target.dataset.key);
  });
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.('[type=search], [type=range]')) return;
    if (act(event.key)) event.preventDefault();
  });
  tools.addEventListener('input', filter);
  for (const type of ['pointerdown', 'pointermove']) canvas.addEventListener(type, point);
  slider.addEventListener('input', () => set({ split: slider.value / 100 }));
  dialog.querySelector('.close').addEventListener('click', close);
  dialog.addEventListener('close', () => articles[state.at].scrollIntoView({ block: 'start' }));

  // A view of its own address: #view-3-swipe, or with a zoom #view-3-swipe-8.
  const wanted = location.hash.match(/^#view-(\d+)-([a-z]+)(?:-(\d))?$/);
  if (wanted) open(Number(wanted[1]), wanted[2], Number(wanted[3] || 0));
})();
