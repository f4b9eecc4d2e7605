import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandsOf } from '../core/cli/commands-of'
import type { Terminal } from '../core/cli/print/terminal'
import { runCli } from '../core/cli/program'
import { withCore } from '../core/product/core-plugins'
import guild from '../examples/guild-reviews/index'
import { dialectOf, handshake, isBatchPath } from '../ingest/http/dialects'
import { builtin } from '../plugins/index'
import {
  commandsIn,
  commandsNamedIn,
  docsRoot,
  documentedPaths,
  pages,
  readPage,
  type TypedCommand,
} from './support/docs-pages'
import { type Gate, startGate } from './support/harness'

const rules: readonly (readonly [string, string])[] = [
  ['bun renown site list --json', ''],
  ['bun renown site token rotate <site>', ''],
  ['bun renown job retry <id>', ''],
  ['bun renown site frobnicate', 'there is no command `site frobnicate`'],
  ['bun renown review explain loc_1 --why', '`review explain` does not take --why'],
  ['bun renown agency capacity set --trials never', '`agency capacity set` does not take never for --trials'],
]

test.each(rules)('%s: %s', async (line, fault) => {
  const [command] = commandsIn(`\`\`\`sh\n${line}\n\`\`\``)
  expect((await faultsOf(command as TypedCommand)).join()).toBe(fault)
})

describe('every `bun renown` command of a page exists, with its options and their choices', () => {
  test.each(pages)('%s', async (page) => {
    const faults = []
    for (const command of commandsIn(await readPage(page))) faults.push(...(await faultsOf(command)))
    expect(faults).toEqual([])
  })
})

describe('every command that a text of the product names exists', () => {
  const things = new Set(commandsOf(builtin).map(({ name }) => String(name.split(' ')[0])))
  const files = ['core/**/*.{ts,tsx}', 'plugins/**/*.{ts,tsx,md}', 'ship/*.ts', 'skills/*/*.md', ...pages]
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(docsRoot)])
    .sort()

  test.each([
    ['Sign it first: `location sign`.', ''],
    ['Run `reviews list` again.', ''],
    ['Run `review lst` again.', 'there is no command `review lst`'],
    ['\\`bun renown mention trackers\\` lists them.', 'there is no command `mention trackers`'],
  ])('%s: %s', async (text, fault) => {
    const [command] = commandsNamedIn(text, things)
    expect(command === undefined ? '' : (await faultsOf(command)).join()).toBe(fault)
  })

  test('in code, pages, errors and skills', async () => {
    const faults: string[] = []
    for (const file of files)
      for (const command of commandsNamedIn(await readPage(file), things))
        faults.push(...(await faultsOf(command)).map((fault) => `${file}: ${fault}`))
    expect(faults).toEqual([])
  })
})

describe('every benchmark of a page exists', () => {
  const files = readdirSync(join(docsRoot, 'test/bench'))
  test.each(pages)('%s', async (page) => {
    const named = [...(await readPage(page)).matchAll(/\bbun\s+run bench ([a-z]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => !files.includes(`${name}.ts`))).toEqual([])
  })
})

describe('every address of the gateway and the ingest that a page names is served', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({
      signer: { directory: () => ({ body: '{}', headers: {} }) },
      plugins: withCore(builtin),
    })
  })
  afterAll(() => gate.stop())

  // The pages for plugin authors and the examples name addresses of their own plugins.
  test.each(pages.filter((page) => !/^(?:docs\/plugin-authors|examples)\//.test(page)))(
    '%s',
    async (page) => {
      const missing = []
      for (const path of documentedPaths(await readPage(page)))
        if (!(await isServed(path))) missing.push(path)
      expect(missing).toEqual([])
    },
  )

  test('an address that is not served is found', async () => {
    const unknown = ['/api/entities/Nothing', '/api/functions/nothing', '/app/nothing', '/v1/nothing']
    for (const path of unknown) expect(`${path} ${await isServed(path)}`).toBe(`${path} false`)
  })

  async function isServed(path: string): Promise<boolean> {
    if (isBatchPath(path)) return dialectOf(path, new Headers()) !== null
    if (path.startsWith('/s/') || handshake(new Request(`http://localhost${path}`), path)) return true
    if (path === '/app' || path.startsWith('/app/'))
      return gate.gateway.pages.some((one) => one.path === path)
    const operation = /^\/api\/functions\/(\w+)$/.exec(path)?.[1]
    if (operation) return gate.registry.operations.has(operation)
    const answer = await gate.ask(path)
    const isOutside = answer.status === 403 && (await answer.text()).includes('"outside_surface"')
    return answer.status !== 404 && !isOutside
  }
})

/** What is wrong with a command: unknown words, options it does not take, choices it does not have. */
async function faultsOf({ words, options }: TypedCommand): Promise<string[]> {
  const known = await longestCommand(words)
  const next = words[known.words.length]
  if (known.words.length === 0 || (known.isGroup && next !== undefined))
    return [`there is no command \`${words.slice(0, known.words.length + 1).join(' ')}\``]
  const name = known.words.join(' ')
  return options.flatMap(({ flag, value }) => {
    const about = new RegExp(`^ +(?:-\\w, )?${flag}\\b[^]*?(?=^ +(?:-\\w, )?--|\\n\\n)`, 'm').exec(
      known.help,
    )?.[0]
    if (about === undefined) return [`\`${name}\` does not take ${flag}`]
    const choices = /\(choices:\s([^)]*)\)/.exec(about.replace(/\s+/g, ' '))?.[1]
    const isOne = !choices || value === undefined || !/^[a-z]/.test(value) || choices.includes(`"${value}"`)
    return isOne ? [] : [`\`${name}\` does not take ${value} for ${flag}`]
  })
}

interface Known {
  readonly words: readonly string[]
  readonly help: string
  readonly isGroup: boolean
}

const helps = new Map<string, Promise<string>>()

async function longestCommand(words: readonly string[]): Promise<Known> {
  for (let { length } = words; length > 0; length--) {
    const first = words.slice(0, length)
    const help = await helpOf(first.join(' '))
    const usage = help.split('\n', 1)[0] ?? ''
    if (usage.startsWith(`Usage: bun renown ${first.join(' ')} `))
      return { words: first, help, isGroup: /\[command\]$/.test(usage) && !/--json/.test(help) }
  }
  return { words: [], help: '', isGroup: false }
}

function helpOf(words: string): Promise<string> {
  const help = helps.get(words) ?? printHelp(words)
  helps.set(words, help)
  return help
}

async function printHelp(words: string): Promise<string> {
  let printed = ''
  const keep = (text: string) => {
    printed += text
  }
  const terminal: Terminal = { out: keep, err: keep, outIsTerminal: false, errIsTerminal: false, columns: 80 }
  const loadIngest = () => Promise.reject(new Error('help needs no ingest'))
  // The page of the first source connects an account of the Guild.
  const composition = { builtin: [...builtin, guild], loadIngest, env: {}, workingFolder: docsRoot }
  await runCli([...words.split(' '), '--help'], composition, terminal)
  return `${printed}\n\n`
}

test('every picture of a page is one of the golden pictures, or of an app that a browser test makes', async () => {
  for (const page of pages) {
    const named = [...(await readPage(page)).matchAll(/\b(?:src|srcset)="(?!http|\/)([^"]+\.png)"/g)]
    for (const [, path = ''] of named) {
      expect(path).toMatch(/^(?:(?:\.\.\/)*test\/e2e\/golden\/|app-[a-z-]+\.png$)/)
      expect({ path, exists: existsSync(join(docsRoot, page, '..', path)) }).toEqual({ path, exists: true })
    }
  }
})
