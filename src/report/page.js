'use strict';
// The viewer of a report. Everything in it is text and pictures of the page; nothing is loaded.
(() => {
  const articles = [...document.querySelectorAll('article')];
  const dialog = document.querySelector('dialog');
  const stage = dialog.querySelector('.stage'), canvas = dialog.querySelector('canvas');
  const title = dialog.querySelector('.title'), values = dialog.querySelector('output');
  const slider = dialog.querySelector('input'), modes = [...dialog.querySelectorAll('[data-mode]')];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const state = { at: -1, mode: 'picture', zoom: 1, split: 0.5, pixels: {} };
  document.documentElement.classList.add('js');

  const image = (name) => articles[state.at].querySelector('.' + name + ' img');

  // The pixels of a picture as they are stored: what a canvas gives back for straight alpha may be
  // off by a code where alpha is low, so that colours there are those that are shown.
  const pixelsOf = (name) => {
    const key = state.at + name, source = image(name);
    if (!source || !source.complete || !source.naturalWidth) return null;
    if (!state.pixels[key]) {
      const own = document.createElement('canvas');
      own.width = source.naturalWidth;
      own.height = source.naturalHeight;
      const inside = own.getContext('2d');
      inside.drawImage(source, 0, 0);
      state.pixels = { [key]: inside.getImageData(0, 0, own.width, own.height), ...state.pixels };
    }
    return state.pixels[key];
  };

  const draw = () => {
    slider.hidden = state.mode !== 'slider';
    title.textContent = articles[state.at].querySelector('bdi').textContent +
      ' (' + (state.at + 1) + ' of ' + articles.length + ', ' + state.mode + ', ' + state.zoom + 'x)';
    for (const button of modes) button.setAttribute('aria-pressed', button.dataset.mode === state.mode);
    const golden = image('golden'), picture = image('picture'), differences = image('differences');
    const shown = { golden, picture, differences, slider: picture }[state.mode] || picture || golden;
    if (!shown || !shown.naturalWidth) return;
    canvas.width = shown.naturalWidth;
    canvas.height = shown.naturalHeight;
    canvas.style.width = shown.naturalWidth * state.zoom + 'px';
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(shown, 0, 0);
    if (state.mode === 'slider' && golden) {
      const edge = Math.round(canvas.width * state.split);
      context.clearRect(0, 0, edge, canvas.height);
      context.drawImage(golden, 0, 0, edge, canvas.height, 0, 0, edge, canvas.height);
      context.fillStyle = '#f0f';
      context.fillRect(edge, 0, Math.max(1, 1 / state.zoom), canvas.height);
    }
  };

  const set = (change) => { Object.assign(state, change); draw(); };

  // A page that was opened as a file may not have the clipboard: then the text is selected.
  const copy = (button) => {
    const code = button.parentNode.querySelector('code');
    const done = () => { button.textContent = 'copied'; };
    const select = () => getSelection().selectAllChildren(code);
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
    else select();
  };

  const show = (x, y) => {
    const codes = {};
    let text = 'x ' + x + '  y ' + y;
    for (const name of ['golden', 'picture']) {
      const pixels = pixelsOf(name);
      if (!pixels || x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) continue;
      codes[name] = [...pixels.data.slice(4 * (y * pixels.width + x), 4 * (y * pixels.width + x) + 4)];
      text += '   ' + name + ' ' + codes[name].join(' ');
    }
    if (codes.golden && codes.picture)
      text += '   difference ' + codes.golden.map((code, i) => codes.picture[i] - code).join(' ');
    values.textContent = text;
  };

  // The middle of what differs, in the middle of the stage.
  const center = () => {
    const middle = (articles[state.at].dataset.at || '').split(' ').map(Number);
    if (middle.length !== 2) return;
    stage.scrollLeft = middle[0] * state.zoom - stage.clientWidth / 2;
    stage.scrollTop = middle[1] * state.zoom - stage.clientHeight / 2;
    show(middle[0], middle[1]);
  };
  const ready = () => { draw(); center(); };
  const open = (at, mode) => {
    if (at < 0 || at >= articles.length) return;
    for (const article of articles) article.classList.remove('current');
    articles[at].classList.add('current');
    values.textContent = '';
    state.pixels = {};
    if (!dialog.open) dialog.showModal();
    dialog.focus();
    set({ at, mode: mode || state.mode });
    for (const source of articles[at].querySelectorAll('img')) {
      source.loading = 'eager';
      source.decode().then(ready, () => {});
    }
  };

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / state.zoom);
    const y = Math.floor((event.clientY - box.top) / state.zoom);
    show(x, y);
  };

  // One listener for all: a page may have thousands of pictures and commands.
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.pictures img'))
      open(articles.indexOf(target.closest('article')), target.parentNode.className);
    else if (target.matches('.copy')) copy(target);
  });
  for (const button of modes) button.addEventListener('click', () => set({ mode: button.dataset.mode }));
  canvas.addEventListener('mousemove', (event) => {
    point(event);
    if (state.mode === 'slider' && event.buttons)
      set({ split: (event.clientX - canvas.getBoundingClientRect().left) / canvas.width / state.zoom });
  });
  slider.addEventListener('input', () => set({ split: slider.value / 100 }));
  dialog.querySelector('.close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => articles[state.at].scrollIntoView({ block: 'start' }));

  const zooms = [1, 2, 4, 8];
  const zoom = (to) => { set({ zoom: zooms[Math.min(3, Math.max(0, to))] }); center(); };
  const level = () => zooms.indexOf(state.zoom);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    const keys = {
      j: () => open(state.at + 1), n: () => open(state.at + 1), ArrowRight: () => open(state.at + 1),
      k: () => open(state.at - 1), p: () => open(state.at - 1), ArrowLeft: () => open(state.at - 1),
    };
    const inside = {
      ' ': () => set({ mode: state.mode === 'golden' ? 'picture' : 'golden' }),
      g: () => set({ mode: 'golden' }), v: () => set({ mode: 'picture' }),
      d: () => set({ mode: 'differences' }), s: () => set({ mode: 'slider' }),
      '+': () => zoom(level() + 1), '=': () => zoom(level() + 1), '-': () => zoom(level() - 1),
      1: () => zoom(0), 8: () => zoom(3),
    };
    const action = keys[event.key] || (dialog.open ? inside[event.key] : null);
    if (!action) return;
    event.preventDefault();
    action();
  });

  // For tests: #view-3-slider-8 opens the viewer.
  const wanted = location.hash.match(/^#view-(\d+)-([a-z]+)-(\d)$/);
  if (wanted) {
    state.zoom = Number(wanted[3]);
    open(Number(wanted[1]), wanted[2]);
  }
})();
