/** A file of the checkout. */
interface SourceFile {
  readonly path: string
  readonly text: string
}

interface NameFault {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** Words that say nothing in a name, or that had several meanings, and what to write instead (docs/contributors/glossary.md). */
const vague: Readonly<Record<string, string>> = {
  anew: 'again, restart',
  asked: 'request, filters',
  awkward: 'edge case',
  buried: 'dead letter',
  bury: 'dead letter',
  door: 'listener, handler, router, authenticator',
  doors: 'router',
  face: 'session, tools',
  gate: 'gateway',
  had: 'earlier, past',
  happened: 'event',
  happenings: 'events',
  hostile: 'untrusted',
  kept: 'cached, stored',
  known: 'what it is, such as the row',
  mend: 'repair, fix',
  place: 'workspace, location, position',
  places: 'workspaces, locations, positions',
  sift: 'check',
  standing: 'state, access, existing',
  sure: 'confirm',
  take: 'lock, import, answer',
  taken: 'imported, locked',
  tell: 'notify, report',
  told: 'result, report',
}

const wordOfField = 'the word that the field uses'
const google = "the name of Google's Places API"
const published = 'plugins import it from `renown`'
const gateway = 'the test harness, used by most tests'

/** Names that keep such a word, by file or by file and name, with the reason. Remove an entry with its name. */
export const nameExceptions: Readonly<Record<string, string>> = {
  'core/contracts/connection.ts:KnownProvider': published,
  'core/contracts/connection.ts:KnownProviders': published,
  'core/contracts/outbound.ts:SealedPlace': published,
  'ingest/parse/formats/senders/known-agents.ts': 'the name of the service Known Agents',
  'plugins/dataforseo/ask.ts:placeOrder': wordOfField,
  'plugins/places/ask.ts': google,
  'plugins/places/id.ts': google,
  'plugins/places/profile.ts': google,
  'plugins/places/public-listing.ts': google,
  'plugins/places/reviews.ts': google,
  'plugins/places/settings.ts': google,
  'plugins/reviews/contract.ts:StandingReply': 'plugins import it from `renown/reviews`',
  'plugins/reviews/contract.ts:standingReply': 'plugins import it from `renown/reviews`',
  'test/support/harness.ts': gateway,
  'test/support/mongo.ts:describeGateStores': gateway,
  'test/support/stand-ins/places.ts': google,
}

/** Files that may export a type of one name. With more, a search for the name finds nothing. */
const filesPerTypeMax = 2

/** Types that more files export, and how many. A number may only fall. */
const sharedNames: Readonly<Record<string, number>> = { Call: 3, Lists: 3 }

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type) (\w+)/gm

/** Returns file names and exported names with a vague word, and type names that too many files export. */
export function plainNameFaults(files: readonly SourceFile[]): NameFault[] {
  const named = files.filter(({ path }) =>
    /^(core|ingest|plugins|ship|examples|test\/support)\/.*\.tsx?$/.test(path),
  )
  return [...named.flatMap(vagueNames), ...sharedTypes(named)]
}

/** Returns the exceptions that no name needs any more. */
export const staleNameExceptions = (files: readonly SourceFile[]): string[] =>
  Object.keys(nameExceptions).filter((exception) => {
    const [path, name] = exception.split(':')
    const file = files.find((each) => each.path === path)
    if (!file) return true
    const names = exportsOf(file).map((each) => each.name)
    return !(name === undefined ? [baseOf(file.path), ...names] : names.filter((each) => each === name)).some(
      vagueIn,
    )
  })

function vagueNames(file: SourceFile): NameFault[] {
  const { path } = file
  if (path in nameExceptions) return []
  const names = [{ name: baseOf(path), line: 1 }, ...exportsOf(file)]
  return names.flatMap(({ name, line }) => {
    const word = vagueIn(name)
    if (word === undefined || `${path}:${name}` in nameExceptions) return []
    return [{ file: path, line, rule: `plain names: not "${word}" in ${name}, but: ${vague[word]}` }]
  })
}

function sharedTypes(files: readonly SourceFile[]): NameFault[] {
  const owners = new Map<string, { file: string; line: number }[]>()
  for (const file of files.filter(({ path }) => /^(core|ingest|plugins|ship)\//.test(path))) {
    for (const { name, line, kind } of exportsOf(file)) {
      if (kind !== 'interface' && kind !== 'type') continue
      owners.set(name, [...(owners.get(name) ?? []), { file: file.path, line }])
    }
  }
  return [...owners].flatMap(([name, found]) => {
    const last = found.at(-1)
    if (!last || found.length <= (sharedNames[name] ?? filesPerTypeMax)) return []
    const all = found.map(({ file }) => file).sort()
    const rule = `at most ${filesPerTypeMax} files export a type of one name: ${name} is in ${all.join(', ')}`
    return [{ ...last, rule }]
  })
}

const exportsOf = ({ text }: SourceFile) =>
  [...text.matchAll(exported)].map(({ 1: kind = '', 2: name = '', index }) => ({
    kind,
    name,
    line: text.slice(0, index).split('\n').length,
  }))

const baseOf = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.test|\.d)?\.tsx?$/, '')

/** The first vague word of a name, which may be in camel case or in kebab case. */
const vagueIn = (name: string): string | undefined =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .find((word) => Object.hasOwn(vague, word))
