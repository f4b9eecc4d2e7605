/** Elements whose text readers of the page do not see. */
const silent = new Set(
  `script style noscript template svg math iframe object embed canvas audio video select textarea button dialog nav footer form
   noframes noembed applet map`.split(/\s+/),
)

/** Whether the text inside an element is ignored. */
export const isSilent = (name: string): boolean => silent.has(name)

/** Style properties and the values that hide an element. */
const unseen: Readonly<Record<string, (value: string) => boolean>> = {
  display: (value) => value === 'none',
  visibility: (value) => value === 'hidden' || value === 'collapse',
  opacity: (value) => Number.parseFloat(value) < 0.05,
  'font-size': (value) => Number.parseFloat(value) < 3,
  'text-indent': (value) => Number.parseFloat(value) <= -500,
  left: (value) => Number.parseFloat(value) <= -500,
  top: (value) => Number.parseFloat(value) <= -500,
}
const styleMax = 1_000

/** Whether an element is hidden by its own attributes, so that its text is not read. */
export function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  const { hidden, 'aria-hidden': aria, style = '' } = attributes
  if (hidden !== undefined || aria?.trim().toLowerCase() === 'true') return true
  return style
    .slice(0, styleMax)
    .split(';')
    .some((declaration) => {
      const colon = declaration.indexOf(':')
      const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
      const value = declaration
        .slice(colon + 1)
        .replace('!important', '')
        .trim()
        .toLowerCase()
      return Object.hasOwn(unseen, name) && unseen[name]?.(value) === true
    })
}
