/** A small piece of logic that has one function, and how it looks when it is written out again. */
interface Idiom {
  readonly pattern: RegExp
  readonly use: string
}

const idioms: readonly Idiom[] = [
  {
    pattern: /\binstanceof Refusal\b/,
    use: 'isRefusal: a plugin may load a second copy of the class',
  },
  { pattern: /\.code [!=]== 'conflict'/, use: 'isConflict or nullIfConflict' },
  { pattern: /instanceof Error \? \w+\.message : (String\(\w+\)|\w+\b)/, use: 'messageOf' },
  {
    pattern: /\b86_400_000\b|\b3_600_000\b|\b24 \* 60 \* 60_000\b|\b60 \* 60_000\b/,
    use: 'dayMs and hourMs',
  },
  {
    pattern: /\.(inTurn|happened|writeDown)\(|^\s*(async )?(buried\(|reactions:)/,
    use: 'the current name: withLock, publish, recordAudit, onDeadLetter, subscribers',
  },
  {
    pattern: /\$\{([\w.]+|formatNumber\([\w.]+\))\} ?\$\{[\w.]+ === 1 \? '(\w+)' : '\2(s|es)'\}/,
    use: 'formatCount of renown/web',
  },
]

/** A domain that compares the name of a platform knows it. Demos may: they make the rows of a platform. */
const namesPlatform = /[!=]== '(google|facebook|dataforseo)'/
const mayNamePlatforms = /^plugins\/((google|facebook|places|dataforseo)\/|[a-z]+\/demo[/.])|^core\/.*demo\//

/** Files in which the functions themselves are written. */
const owners = ['core/contracts/errors.ts', 'core/contracts/time.ts', 'core/web/client/format.ts']

/** Returns which function to use where a line of code writes one of the idioms out. */
export const idiomFaults = (path: string, code: string): string[] => {
  const isOurs = /^(core|ingest|plugins)\/.*\.tsx?$/.test(path) && !owners.includes(path)
  if (!isOurs) return []
  const found = idioms.filter(({ pattern }) => pattern.test(code)).map(({ use }) => `written out: use ${use}`)
  return namesPlatform.test(code) && !mayNamePlatforms.test(path)
    ? [...found, 'a domain asks what a platform declares, not for its name']
    : found
}
