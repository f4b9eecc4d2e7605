import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { floorFault, roomFault } from './floors'
import { idiomFaults } from './idioms'
import { importCircles } from './import-circles'
import { literalSpreads } from './literal-spreads'
import { plainNameFaults, staleNameExceptions } from './plain-names'
import { plainWordFaults } from './plain-words'
import { tooLong } from './steps'
import { untypedWrites } from './typed-writes'

/** One place that breaks a rule of the house, with the rule in words. */
export interface TidyFault {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** Reads every file of a checkout and reports what breaks the rules that a linter cannot see. */
export function tidy(root: string): TidyFault[] {
  const files = read(root)
  const faults = files.flatMap((file) => rules.flatMap((rule) => rule(file, root)))
  return [...faults, ...plainNameFaults(files), ...circles(files), ...strayTopNames(root)]
}

/** Returns the exceptions of the rules that no file of a checkout needs any more. */
export const staleExceptions = (root: string): string[] => staleNameExceptions(read(root))

const read = (root: string): SourceFile[] =>
  listFiles(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

interface SourceFile {
  readonly path: string
  readonly text: string
}
type Rule = (file: SourceFile, root: string) => TidyFault[]

const mains = [
  'core/main.ts',
  'core/cli/gateway-main.ts',
  'core/cli/main.ts',
  'ingest/main.ts',
  'ingest/part-main.ts',
  'ship/main.ts',
  'conformance/main.ts',
]
/** Entry points that are handed no clock because a process or a Worker begins there. */
const isStart = (path: string) => mains.includes(path) || path.endsWith('-worker.ts')
/** Its text is violations, planted to be found. */
const plantations = ['test/tidy.test.ts']
const topNames = new Set(
  `package.json server.json skills tsconfig.json bunfig.toml plugins ingest core ship integrations conformance corpora test README.md .ci docs
   examples operations LICENSE CHANGELOG.md Containerfile .dockerignore compose.several.yaml
   CONTRIBUTING.md SECURITY.md biome.json knip.json lefthook.yml compose.yaml bun.lock .gitignore`.split(
    /\s+/,
  ),
)
/** Packages that one part of the tree alone may use. */
const soleUsers: Readonly<Record<string, readonly string[]>> = {
  oslo: ['core/process/crypto.ts'],
  elysia: ['core/http/', 'core/product/serve.ts', 'test/bench/'],
  '@modelcontextprotocol/sdk': ['core/mcp/', 'test/'],
  '@modelcontextprotocol/server': ['core/mcp/', 'core/skills/', 'test/'],
  mongoose: ['core/stores/documents/', 'core/query/to-mongo.ts', 'test/'],
  'bun:sqlite': [
    'core/stores/documents/',
    'core/process/data-folder.ts',
    'core/cli/doctor.ts',
    'ship/',
    'test/',
  ],
  preact: ['core/web/kit/jsx/'],
  'preact-render-to-string': ['core/web/kit/jsx/'],
  '@clickhouse/client': ['core/stores/columns/', 'ingest/', 'test/'],
  chdb: ['core/stores/columns/', 'core/cli/doctor.ts', 'ingest/', 'test/'],
}

/** Fields of `BusinessLocation` that are named after a platform. They are part of the API. */
const platformFields =
  /\b(?:google_place_id|google_account_id|google_location_id|google_maps_url|facebook_page_id)\b/g
const rules: readonly Rule[] = [
  walls,
  floorsHold,
  soleUse,
  argumentsOnly,
  documented,
  plainWords,
  plainProse,
  noMachines,
  oneTitle,
  mirrored,
  skippedByNeed,
  noFixedSleeps,
  noBareClicks,
  noPlatforms,
  typedWrites,
  noIdioms,
  honestLines,
  shortEnough,
]

function walls({ path, text }: SourceFile, root: string): TidyFault[] {
  if (!/\.tsx?$/.test(path) || plantations.includes(path)) return []
  return importsOf(text).flatMap(({ specifier, line }) => {
    const fault = (rule: string) => [{ file: path, line, rule: `${rule} (${specifier})` }]
    const target = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : null
    if (target?.startsWith('..')) return fault('an import leaves the project')
    // A Worker, and a page that is built for browsers, are named by their files.
    if (target && /(?<!-worker)\.ts$/.test(target) && existsSync(join(root, target)))
      return fault('relative imports are written without an extension')
    if (target && mains.includes(`${target}.ts`)) return fault('nothing imports a main')
    if (mains.includes(path)) return []
    if (path.startsWith('plugins/') || path.startsWith('examples/')) {
      const own = path.split('/').slice(0, path.startsWith('plugins/index') ? 1 : 2)
      if (target && !target.startsWith(`${own.join('/')}/`))
        return fault('a plugin imports its own files only')
      if (path.endsWith('.test.ts') && specifier === 'renown/testing') return []
      if (
        specifier.startsWith('renown/') &&
        !/^renown\/(pages|records|sending|sources|statistics|traffic|web|locations|posts|leads|reports|reviews|profiles|visibility)$/.test(
          specifier,
        )
      )
        return fault('a plugin imports renown or one of its doors')
    }
    if (path.startsWith('ingest/')) {
      if (target && !target.startsWith('ingest/')) return fault('the counter imports its own files only')
      if (
        /^(renown(\/(testing|pages|records|sending|sources|statistics|traffic))?|elysia|mongoose|bun:sqlite)$/.test(
          specifier,
        )
      )
        return fault('the counter knows renown/contracts and one store, without a framework')
    }
    if (path.startsWith('ship/') && target && !target.startsWith('ship/'))
      return fault('the shipper imports its own files only')
    if (path.startsWith('conformance/') && (target === null || !target.startsWith('conformance')))
      return fault('the conformance kit imports its own files only')
    if (path.startsWith('core/')) {
      if (target && !target.startsWith('core/')) return fault('core imports core')
      if (/^renown(\/|$)/.test(specifier)) return fault('inside core, import the file itself')
    }
    return []
  })
}

/** A room imports rooms below it, so that whoever reads a room needs to know no other above it. */
function floorsHold({ path, text }: SourceFile): TidyFault[] {
  if (!/^(core|ingest|plugins|ship)\/.*\.tsx?$/.test(path)) return []
  const misplaced = roomFault(path)
  const faults = importsOf(text).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return []
    const rule = floorFault(path, normalize(join(dirname(path), specifier)))
    return rule === null ? [] : [{ file: path, line, rule: `${rule} (${specifier})` }]
  })
  return misplaced === null ? faults : [{ file: path, line: 1, rule: misplaced }, ...faults]
}

/** The type of an entity says what may be written. A cast hides a field that is missing or that nobody declared. */
function typedWrites({ path, text }: SourceFile): TidyFault[] {
  // ClickHouse's client takes cells of a table and knows no entity.
  if (
    !/^(core|ingest|plugins|ship|examples)\/.*\.tsx?$/.test(path) ||
    path.startsWith('core/stores/columns/')
  )
    return []
  const rule = 'rows are written as their entity types them, without a cast'
  return untypedWrites(text).map((line) => ({ file: path, line, rule }))
}

function soleUse({ path, text }: SourceFile): TidyFault[] {
  if (!/\.tsx?$/.test(path) || plantations.includes(path)) return []
  return importsOf(text).flatMap(({ specifier, line }) => {
    const name = Object.keys(soleUsers).find((each) => specifier === each || specifier.startsWith(`${each}/`))
    const users = name ? soleUsers[name] : undefined
    if (!users || users.some((user) => path.startsWith(user))) return []
    return [{ file: path, line, rule: `${name} is used only by ${users.join(', ')}` }]
  })
}

/** Time, settings and output come in by argument, so that a test can hold them. */
function argumentsOnly({ path, text }: SourceFile): TidyFault[] {
  if (!/^(core|ingest|plugins|ship|examples)\/.*\.tsx?$/.test(path)) return []
  if (
    isStart(path) ||
    ['core/process/clock.ts', 'core/process/log.ts'].includes(path) ||
    path.endsWith('.test.ts')
  )
    return []
  const forbidden: readonly [RegExp, string][] = [
    [/\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/, 'settings come in by argument'],
    [/\bnew Date\(\)|\bDate\.now\(\)/, 'time comes in by argument'],
    [/\bMath\.random\(\)/, 'chance comes in by argument'],
    // Every job and command gets a context of its own, so a map by context is empty each time.
    [/\bWeakMap<\w*Context\b/, 'state in memory is kept by productState, not by a context'],
    [/\bconsole\.\w+/, 'output goes through the log, or through the writer handed in'],
  ]
  return codeLines(text).flatMap(({ code, line }) =>
    forbidden.flatMap(([pattern, rule]) => (pattern.test(code) ? [{ file: path, line, rule }] : [])),
  )
}

function documented({ path, text }: SourceFile): TidyFault[] {
  if (!/^core\/(kit\/index\.ts|contracts\/)/.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((code, index) => {
    if (!/^export (declare )?(async )?(const|function|class|interface|type) /.test(code)) return []
    let before = index - 1
    while (/^\s*\/\/ biome-ignore/.test(lines[before] ?? '')) before--
    if ((lines[before] ?? '').trimEnd().endsWith('*/')) return []
    return [{ file: path, line: index + 1, rule: 'what is exported carries a sentence' }]
  })
}

function plainWords({ path, text }: SourceFile): TidyFault[] {
  if (!/\.(ts|tsx|md|ya?ml)$/.test(path)) return []
  const words = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`)
  const ticket = /(^|\s)(\/\/|\*|<!--).*\s(#\d{1,6}\b|[A-Z]{2,5}-\d{2,6}\b(?<!(RFC|ISO|UTF|SHA|CRC|AES)-\d+))/
  return text.split('\n').flatMap((code, index) => {
    const rules = []
    if (words.test(code)) rules.push('unfinished business does not stand in the tree')
    if (ticket.test(code)) rules.push('no ticket numbers: say the reason itself')
    return rules.map((rule) => ({ file: path, line: index + 1, rule }))
  })
}

/** Old words and long sentences in what people read (`test/support/plain-words.ts`). */
function plainProse({ path, text }: SourceFile): TidyFault[] {
  return plainWordFaults(path, text).map((fault) => ({ file: path, ...fault }))
}

/** What depends on the machine it was written on. */
function noMachines({ path, text }: SourceFile): TidyFault[] {
  const hosts =
    /\bregistry\.[a-z-]+\.(org|com|io|dev|net|cn)\b|https?:\/\/[^\s/'"`]*(npm|artifact|nexus|verdaccio)/i
  const folders = /(^|[\s'"`(=])\/(work|root|home\/[a-z]+)\//
  return text.split('\n').flatMap((code, index) => {
    const found = []
    if (hosts.test(code)) found.push('no package registry is named')
    if (folders.test(code)) found.push("no path of somebody's machine")
    return found.map((rule) => ({ file: path, line: index + 1, rule }))
  })
}

function oneTitle({ path, text }: SourceFile): TidyFault[] {
  if (!path.endsWith('.md')) return []
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const titles = prose.match(/^# /gm)?.length ?? 0
  return titles === 1 ? [] : [{ file: path, line: 1, rule: `one title in a document, not ${titles}` }]
}

/** `test/core/query/parse.test.ts` stands for something in `core/query`. */
function mirrored({ path }: SourceFile, root: string): TidyFault[] {
  const folder = /^test\/((?:core|ingest|plugins|ship)(?:\/.+)?)\/[^/]+\.test\.tsx?$/.exec(path)?.[1]
  if (!folder || existsSync(join(root, folder)) || existsSync(join(root, `${folder}.ts`))) return []
  return [{ file: path, line: 1, rule: 'a test stands where its subject stands' }]
}

/** A test that cannot run is skipped by `test/support/needs.ts` alone, so that it is counted with its reason. */
function skippedByNeed({ path, text }: SourceFile): TidyFault[] {
  const isTest = path.startsWith('test/') && /\.tsx?$/.test(path) && !path.startsWith('test/bench/')
  if (!isTest || plantations.includes(path) || path === 'test/support/needs.ts') return []
  const rule = 'a test says what it needs by testWith or describeWith, which skip it with a reason'
  const skips = /\b(test|it|describe)(\.\w+)*\.(skip|skipIf|if|todo|todoIf|failing)\b|\bBun\.which\(/
  // A callback that returns at once where something is missing passes without having tested anything.
  const leaves =
    /^\s*if \(!(uri|command|hasC\w+|process\.env\.\w+|Bun\.which\(.*\)|findProgram\(.*\))\) return\b/
  const owners = ['test/support/programs.ts', 'test/run.ts']
  return codeLines(text).flatMap(({ code, line }) => {
    if (owners.includes(path)) return []
    return skips.test(code) || (path.endsWith('.test.ts') && leaves.test(code))
      ? [{ file: path, line, rule }]
      : []
  })
}

/** A test waits for a condition. Only `wait-for.ts` may pause, so that each pause there says what it is for. */
function noFixedSleeps({ path, text }: SourceFile): TidyFault[] {
  const isTest = /^(test|examples)\/.*\.tsx?$/.test(path) && !path.startsWith('test/bench/')
  if (!isTest || plantations.includes(path) || path === 'test/support/wait-for.ts') return []
  const sleeps = /\bBun\.sleep\(|\bwaitForTimeout\(|\btimers\/promises\b|\bnew Promise\b.*\bsetTimeout\(/
  const rule = 'a test waits for a condition: waitFor in test/support/wait-for.ts'
  return codeLines(text).flatMap(({ code, line }) => (sleeps.test(code) ? [{ file: path, line, rule }] : []))
}

/** A test says whether a click leads to another page, because then it must wait for it. */
function noBareClicks({ path, text }: SourceFile): TidyFault[] {
  if (!/^test\/.*\.ts$/.test(path) || plantations.includes(path) || path === 'test/support/press.ts')
    return []
  const clicks = /\bgetByRole\('(button|link)'.*\)\.click\(\)/
  const rule =
    'a click waits for the page that it leads to: press, follow or clickAndStay of test/support/press.ts'
  return codeLines(text).flatMap(({ code, line }) => (clicks.test(code) ? [{ file: path, line, rule }] : []))
}

/** Core knows no outside platform. A plugin declares its client, its settings and how people connect it. */
function noPlatforms({ path, text }: SourceFile): TidyFault[] {
  if (!/^core\/.*\.tsx?$/.test(path)) return []
  const names = /google|facebook|places[ -]?api|dataforseo/i
  const rule = 'core names no outside platform: a plugin declares it'
  const inPath = names.test(path) ? [{ file: path, line: 1, rule }] : []
  const inCode = codeLines(text).flatMap(({ code, line }) =>
    names.test(code.replaceAll(platformFields, '')) ? [{ file: path, line, rule }] : [],
  )
  return [...inPath, ...inCode]
}

/** Small pieces of logic have one function each (`test/support/idioms.ts`). */
function noIdioms({ path, text }: SourceFile): TidyFault[] {
  return codeLines(text).flatMap(({ code, line }) =>
    idiomFaults(path, code).map((rule) => ({ file: path, line, rule })),
  )
}

/** A property has a line of its own, and a name its declaration (`test/support/literal-spreads.ts`). */
function honestLines({ path, text }: SourceFile): TidyFault[] {
  if (!/\.([cm]?jsx?|tsx?|md)$/.test(path) || plantations.includes(path)) return []
  return literalSpreads(path, text).map((fault) => ({ file: path, ...fault }))
}

/** What is read at once is not too long (`test/support/steps.ts`). Tests are read one at a time. */
function shortEnough({ path, text }: SourceFile): TidyFault[] {
  if (!/^(core|ingest|plugins|ship|examples|conformance)\/.*\.tsx?$/.test(path)) return []
  return tooLong(path, text).map((fault) => ({ file: path, ...fault }))
}

/** Whoever reads a file can read what it imports first. Types count; a Worker and a page are programs of their own. */
function circles(files: readonly SourceFile[]): TidyFault[] {
  const sources = files.filter(({ path }) => /\.tsx?$/.test(path) && !plantations.includes(path))
  const known = new Set(sources.map(({ path }) => path))
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text).flatMap(({ specifier }) => {
        if (!specifier.startsWith('.') || /-worker\.ts$|\.tsx$/.test(specifier)) return []
        const target = normalize(join(dirname(path), specifier))
        const ends = ['.ts', '.tsx', '/index.ts', '']
        return ends.map((end) => `${target}${end}`).find((file) => known.has(file)) ?? []
      }),
    ]),
  )
  return importCircles(imports).map((circle) => ({
    file: circle[0] ?? '',
    line: 1,
    rule: `imports go round in a circle: ${circle.join(' → ')}`,
  }))
}

function strayTopNames(root: string): TidyFault[] {
  return readdirSync(root)
    .filter((name) => !ignored.has(name) && !name.endsWith('.log') && !topNames.has(name))
    .map((file) => ({ file, line: 1, rule: 'nothing else stands at the top' }))
}

/** Returns a function that remembers its last answer: rules ask for the same file one after another. */
function remembered<T>(read: (text: string) => readonly T[]): (text: string) => readonly T[] {
  let last: { readonly text: string; readonly found: readonly T[] } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, found: read(text) }
    return last.found
  }
}

/** Every import of a file, `import()`, re-exports and `new URL('./x', import.meta.url)` included. */
const importsOf = remembered((text): { specifier: string; line: number }[] => {
  const pattern =
    /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|\bnew URL\(\s*|\brequire\(\s*)(['"])([^'"\n]+)\1/gm
  return [...text.matchAll(pattern)].map((match) => ({
    specifier: match[2] as string,
    line: text.slice(0, match.index).split('\n').length,
  }))
})

/** Lines without line comments and without the bodies of block comments. */
const codeLines = remembered((text): { code: string; line: number }[] => {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  return bare.split('\n').map((code, index) => ({ code: code.replace(/(^|\s)\/\/.*$/, ''), line: index + 1 }))
})

const ignored = new Set(['node_modules', '.git', 'data', 'coverage', '.DS_Store'])
const readable =
  /\.(ts|tsx|js|mjs|cjs|json|md|toml|ya?ml|lock|css|html|txt|conf)$|(^|\/)(run|LICENSE|\.gitignore)$/

function listFiles(root: string, folder = root): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const inside = relative(root, path)
    if (name === 'node_modules' || name === '.git' || ignored.has(inside)) return []
    if (statSync(path).isDirectory()) return listFiles(root, path)
    return readable.test(inside) ? [inside] : []
  })
}
