/** Design tokens: the colors of the pages. The dark ones replace the light ones by name. */
export const tokens = {
  light: {
    ink: '#16191d',
    dim: '#5f6b76',
    line: '#e6e8eb',
    edge: '#858f9a',
    paper: '#fafafa',
    card: '#ffffff',
    soft: '#f1f3f5',
    accent: '#0f766e',
    'accent-strong': '#0b5a54',
    'accent-soft': '#e3f3f1',
    'on-accent': '#ffffff',
    good: '#17663a',
    'good-soft': '#e6f4ea',
    warn: '#7d4b00',
    'warn-soft': '#fdf3dc',
    bad: '#b3261e',
    'bad-strong': '#8f1d17',
    'bad-soft': '#fceceb',
    'on-bad': '#ffffff',
    shadow: '0 1px 2px rgb(20 35 50 / .06), 0 8px 24px rgb(20 35 50 / .12)',
  },
  dark: {
    ink: '#e8eaed',
    dim: '#9aa4ae',
    line: '#262b31',
    edge: '#6f7a86',
    paper: '#0f1113',
    card: '#16191d',
    soft: '#1f242a',
    accent: '#2dd4bf',
    'accent-strong': '#7dded1',
    'accent-soft': '#12302d',
    'on-accent': '#06211e',
    good: '#7ad19a',
    'good-soft': '#13291c',
    warn: '#eab85c',
    'warn-soft': '#2d230d',
    bad: '#ff8a80',
    'bad-strong': '#ffaaa2',
    'bad-soft': '#331716',
    'on-bad': '#330605',
    shadow: '0 1px 2px rgb(0 0 0 / .5), 0 8px 24px rgb(0 0 0 / .5)',
  },
} as const

/** Returns CSS that declares variables for both themes. The system decides, unless the person chose one. */
export const inSchemes = (light: string, dark: string): string =>
  `:root{${light}}
@media (prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}
:root[data-theme=dark]{${dark}}`

const declared = (set: Readonly<Record<string, string>>) =>
  Object.entries(set)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/**
 * Variables of every page. Sizes follow a grid of 4 px; `--control` is the height of buttons and fields, larger where
 * people point with a finger.
 */
export const tokenRules = `
@font-face{font-family:Inter;font-style:normal;font-weight:400 600;font-display:swap;src:url(FONT) format("woff2");unicode-range:U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD}
${inSchemes(`color-scheme:light;${declared(tokens.light)}`, `color-scheme:dark;${declared(tokens.dark)}`)}
:root{--radius:8px;--control:2.75rem;--gap:1rem;--sans:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (min-width:56.25rem) and (pointer:fine){:root{--control:2rem}}
`
