import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dir
const printed = '<!-- Printed from the code by `bun run docs`. Change the code, not this page. -->\n'

/** An option of a suite, as the code declares it. */
interface SuiteOption {
  readonly name: string
  readonly isRequired: boolean
  readonly says: string
}

interface Declared {
  readonly parent: string | undefined
  readonly says: string
  readonly options: readonly SuiteOption[]
}

/** Returns `docs/reference/suites.md`: every suite of `renown/testing` with its options. */
export function suitesPage(): string {
  const declared = declaredInterfaces()
  const sections = suites().map(({ name, options }) => {
    const of = declared.get(options)
    if (!of) throw new Error(`${name} takes ${options}, which no file of test/support declares`)
    const rows = optionsOf(options, declared).map(
      (one) =>
        `| \`${one.name}\` | ${one.isRequired ? 'yes' : 'no'} | ${one.says.replaceAll('|', '\\|') || plain[one.name] || ''} |`,
    )
    return `## ${name}\n\n${of.says}\n\n| Option | Required | What it is |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${printed}
# Test suites

Each suite of \`renown/testing\` generates the tests of one contract. Call it in a test file with these options. Run the tests with
\`bun test --timeout 60000\`: the suites start a whole product in memory, and a busy machine can take longer than the default of five seconds.

${sections.join('\n')}`
}

/** What options are that all suites have in the same way. */
const plain: Readonly<Record<string, string>> = { plugin: 'The plugin that is tested.' }

/** Returns the suites that `renown/testing` exports, each with the type of its options. */
function suites(): { readonly name: string; readonly options: string }[] {
  const exported = readFileSync(join(folder, 'index.ts'), 'utf8')
  return [...sourceTexts().matchAll(/^export function (test[A-Z]\w+)\(([^)]*)\)/gm)]
    .map(([, name = '', taken = '']) => ({
      name,
      options: /: (\w+(?:Suite|Options))\b/.exec(taken)?.[1] ?? '',
    }))
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(exported))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const sourceTexts = (): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

function declaredInterfaces(): ReadonlyMap<string, Declared> {
  const pattern =
    /(?:\/\*\* ([^\n]*) \*\/\n)?(?:export )?interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)^\}/gm
  return new Map(
    [...sourceTexts().matchAll(pattern)].map(([, says = '', name = '', parent, body = '']) => [
      name,
      { parent, says, options: membersOf(body) },
    ]),
  )
}

function membersOf(body: string): SuiteOption[] {
  const pattern = /^ {2}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2})?(?:readonly )?(\w+)(\?)?(?:: |\(|<)/gm
  return [...body.matchAll(pattern)].map(([, comment = '', name = '', optional]) => ({
    name,
    isRequired: optional === undefined,
    says: comment
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

/** Returns the options of a type, those of its parents last. An option that is declared again stands once. */
function optionsOf(name: string, declared: ReadonlyMap<string, Declared>): readonly SuiteOption[] {
  const of = declared.get(name)
  if (!of) return []
  const own = of.options
  const names = new Set(own.map((one) => one.name))
  const others = of.parent === undefined ? [] : optionsOf(of.parent, declared)
  return [...own, ...others.filter((one) => !names.has(one.name))].toSorted(
    (a, b) => Number(b.isRequired) - Number(a.isRequired),
  )
}
