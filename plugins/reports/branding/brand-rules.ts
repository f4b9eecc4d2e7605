import type { Branding } from './branding'

/** Returns the CSS rules for the colors of a report. Undefined without colors. */
export function brandRules(branding: Branding | undefined): string | undefined {
  const { color, color_dark } = branding ?? {}
  if (color === undefined && color_dark === undefined) return undefined
  const set = (value: string) => `.report{--brand:${value}}`
  const dark = color_dark ?? 'var(--ink)'
  return [
    set(color ?? 'var(--ink)'),
    `@media (prefers-color-scheme:dark){:root:not([data-theme]) ${set(dark)}}`,
    `:root[data-theme=dark] ${set(dark)}`,
  ].join('\n')
}
