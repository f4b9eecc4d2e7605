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
    pattern: /\$\{([\w.]+|formatNumber\([\w.]+\))\} ?\$\{[\w.]+ === 1 \? '(\w+)' : '\2(s|es)'\}/,
    use: 'formatCount of renown/web',
  },
]

/** What a page must not do with dates by itself, so that all pages show them alike and in the zone of the workspace. */
const dates: readonly { readonly files: RegExp; readonly pattern: RegExp }[] = [
  {
    files: /^(core\/web|plugins)\//,
    pattern: /\bIntl\.DateTimeFormat\b|\.toLocale(Date|Time)String\(|\bDate\([^()]*\)\.toLocaleString\(/,
  },
  // A day that was cut from a time in UTC, and a day as it is stored, in the text of a page.
  { files: /\.tsx$/, pattern: /\.slice\(0, 10\)/ },
  { files: /\.tsx$/, pattern: /(?<!=)\{([\w.]+\.)?(date_from|date_to|\w+_(until|day))\}/ },
]

/** Files that format dates for all, or read a clock or a zone without showing it. */
const dateOwners = [
  'core/web/kit/browser/format.ts',
  'core/web/kit/parts/copy.ts',
  // Compares names of months in texts.
  'plugins/posts/drafts/calendar.ts',
  // Read names of months and clocks of places in texts.
  'plugins/leads/sources/date-words.ts',
  'plugins/leads/sources/date-zones.ts',
]

/** A domain that compares the name of a platform knows it. Demos may: they make the rows of a platform. */
const namesPlatform = /[!=]== '(google|facebook|dataforseo)'/
const mayNamePlatforms = /^plugins\/((google|facebook|places|dataforseo)\/|[a-z]+\/demo[/.])|^core\/.*demo\//

/** A command is run by what declares it, so that a missing one is a type error. Only what people type comes as text. */
const runsByName = /\brunCommand\((?!\s*\))|\bcommands\s*\??\.(get|find)\(/
const mayRunByName = /^core\/(contexts\/run-command|product\/admin)\.ts$|^core\/cli\/|^core\/registry\//

/** A whole address of a page names its workspace. Only the pages of signing in, and of stopping mail, belong to none. */
const bareAddress = /(?:[oO]rigin|[uU]rl)\}\/app(?!\/(?:link|mail\/stop)\?)/
const ownersOfAddresses = ['core/kit/page-addresses.ts', 'core/cli/start/next-steps.ts']

/** Files in which the functions themselves are written. */
const owners = ['core/contracts/errors.ts', 'core/contracts/time.ts', 'core/web/kit/browser/format.ts']

/** Returns which function to use where a line of code writes one of the idioms out. */
export const idiomFaults = (path: string, code: string): string[] => {
  const isCode = /^(core|ingest|plugins|ship|examples)\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts')
  if (isCode && runsByName.test(code) && !mayRunByName.test(path))
    return ['a command is run by its declaration: use runDeclared']
  const isOurs = /^(core|ingest|plugins|ship)\/.*\.tsx?$/.test(path) && !owners.includes(path)
  if (!isOurs) return []
  const found = idioms.filter(({ pattern }) => pattern.test(code)).map(({ use }) => `written out: use ${use}`)
  if (
    !dateOwners.includes(path) &&
    dates.some(({ files, pattern }) => files.test(path) && pattern.test(code))
  )
    found.push('written out: use Moment, formatDay or exactTime for dates that people see')
  if (bareAddress.test(code) && !ownersOfAddresses.includes(path))
    found.push('written out: use pageUrl, which names the workspace')
  return namesPlatform.test(code) && !mayNamePlatforms.test(path)
    ? [...found, 'a domain asks what a platform declares, not for its name']
    : found
}
