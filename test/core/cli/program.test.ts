import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { commandsOf } from '../../../core/cli/commands-of'
import { printAnswer } from '../../../core/cli/print/print'
import type { Terminal } from '../../../core/cli/print/terminal'
import { runCli } from '../../../core/cli/program'
import { defineCommand, definePlugin } from '../../../core/kit'
import { shapeOf } from '../../../core/kit/fields'
import { lockDataFolder } from '../../../core/process/data-folder'
import { builtin } from '../../../plugins'

const root = mkdtempSync(join(tmpdir(), 'renown-cli-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function recorder(isTerminal = false) {
  let out = ''
  let err = ''
  const terminal: Terminal = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    outIsTerminal: isTerminal,
    errIsTerminal: false,
    columns: 80,
  }
  return { terminal, said: () => ({ out, err }) }
}

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const { terminal, said } = recorder()
  const composition = {
    builtin,
    loadIngest: () => Promise.reject(new Error('no counter here')),
    env: { RENOWN_DATA_DIR: join(root, 'nobody'), ...env },
    workingFolder: root,
  }
  return { code: await runCli(words, composition, terminal), ...said() }
}

describe('help', () => {
  test('names every command, the exit codes and examples', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const word of [
      'status',
      'key',
      'agency',
      'workspace',
      'location',
      'site',
      'log',
      'data',
      'range',
      'doctor',
    ]) {
      expect(out).toMatch(new RegExp(`^  ${word}\\b`, 'm'))
    }
    expect(out).toContain('Exit codes:')
    expect(out).toContain('Examples:')
  })

  const declared = commandsOf(builtin).map(({ name }) => name)
  const others = [
    'status',
    'log import',
    'data export',
    'data import',
    'data backup',
    'data check',
    'range list',
    'range refresh',
    'doctor',
  ]
  test.each([...declared, ...others])('%s has help with an example, and takes --json', async (name) => {
    const { code, out } = await run([...name.split(' '), '--help'])
    expect(code).toBe(0)
    expect(out).toContain('Example')
    expect(out).toContain('--json')
  })
})

describe('what is typed wrongly ends with 2 and a reason', () => {
  test.each([
    [['sites'], "unknown command 'sites'"],
    [['site', 'creat'], 'Did you mean create?'],
    [['log', 'import', 'x.log'], "required option '--site <site>' not specified"],
    [['status', '--loud'], "unknown option '--loud'"],
    [['key', 'rotate', 'now'], 'too many arguments'],
  ])('%j', async (words, reason) => {
    const { code, err } = await run(words)
    expect(code).toBe(2)
    expect(err).toContain(reason)
  })

  test.each([
    [['site', 'creat', '--json'], 'creat'],
    [['status', '--loud', '--json'], '--loud'],
    [['log', 'import', 'x.log', '--json'], '--site'],
  ])('%j says so as one JSON line too', async (words, named) => {
    const { code, out } = await run(words)
    expect(code).toBe(2)
    const { error } = JSON.parse(out)
    expect(error).toMatchObject({ code: 'usage', errors: [] })
    expect(error.message).toContain(named)
  })

  test('a command whose secret nobody would see is not run', async () => {
    const { code, err, out } = await run(['key', 'rotate'])
    expect(code).toBe(2)
    expect(err).toContain('Nothing was changed')
    expect(out).toBe('')
  })
})

describe('what cannot be reached ends with 3', () => {
  test('status without a product', async () => {
    const { code, out } = await run(['status', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ running: false })
  })

  test('settings that cannot be used are all said at once', async () => {
    const { code, err } = await run(['status'], { PORT: 'http', LOG_LEVEL: 'loud' })
    expect(code).toBe(3)
    expect(err).toContain('PORT: expected a port number')
    expect(err).toContain('LOG_LEVEL:')
  })

  test('plugins that cannot be loaded are all named at once', async () => {
    const { code, err } = await run(['status'], { PLUGINS: './no-such-plugin.ts,no-such-package' })
    expect(code).toBe(3)
    expect(err).toContain('The plugin ./no-such-plugin.ts of PLUGINS')
    expect(err).toContain('The plugin no-such-package of PLUGINS')
  })

  test('a plugin that cannot be loaded is named', async () => {
    const { code, err } = await run(['status'], { PLUGINS: './no-such-plugin.ts' })
    expect(code).toBe(3)
    expect(err).toContain('The plugin ./no-such-plugin.ts of PLUGINS cannot be loaded')
  })
})

describe('a folder without an installation', () => {
  /** A command line that reaches its link: every argument and every required option given. */
  const wordsOf = (name: string, input: v.GenericSchema, positional: readonly string[]) => {
    const { entries = {} } = input as { entries?: Record<string, v.GenericSchema> }
    const needed = Object.entries(entries).filter(([, schema]) => !shapeOf(schema).optional)
    const exampleOf = (schema: v.GenericSchema) => {
      const { kind, values } = shapeOf(schema)
      return String(values?.[0] ?? (kind === 'number' ? 1 : 'x'))
    }
    const given = needed.filter(([key]) => positional.includes(key)).map(([, schema]) => exampleOf(schema))
    const flags = needed
      .filter(([key]) => !positional.includes(key))
      .flatMap(([key, schema]) => [`--${key.replaceAll('_', '-')}`, exampleOf(schema)])
    return [...name.split(' '), ...given, ...flags, '--json']
  }
  const file = join(root, 'a.log')
  const lines = [
    ...commandsOf(builtin).map(({ name, input, positional = [] }) => wordsOf(name, input, positional)),
    ['log', 'import', file, '--site', 'x'],
    ['data', 'export', join(root, 'out')],
    ['data', 'backup', 'x'],
    ['range', 'list'],
    ['range', 'refresh'],
  ].map((words) => [words.join(' '), words] as const)

  test.each(lines)('%s: named with its setting, exit code 3, nothing created', async (_, words) => {
    writeFileSync(file, '')
    for (const [name, prepare] of [
      ['missing', () => {}],
      ['empty', (path: string) => mkdirSync(path, { recursive: true })],
    ] as const) {
      const path = join(root, `no-installation-${name}`)
      prepare(path)
      const { code, err } = await run(words, { RENOWN_DATA_DIR: path })
      expect(err).toContain(`There is no Renown installation in the data folder ${path}.`)
      expect(err).toContain('RENOWN_DATA_DIR')
      expect(code).toBe(3)
      expect(existsSync(path) ? readdirSync(path) : name).toEqual(name === 'empty' ? [] : 'missing')
    }
  })

  test('the commands are many, so that this sees them', () => expect(lines.length).toBeGreaterThan(50))
})

test('an answer is aligned for a person, one field a line where a row is wider than the terminal', () => {
  const { terminal, said } = recorder()
  printAnswer(terminal, false, { id: 'a', is_active: true })
  printAnswer(terminal, false, [{ id: 'a', name: null }])
  printAnswer(terminal, false, { sites: [{ id: 'a', name: 'b'.repeat(100) }] })
  expect(said().out).toBe(
    `is_active  yes\nid         a\nname  id\n–     a\nname  ${'b'.repeat(100)}\nid    a\n`,
  )
})

test('an answer that its command takes for bad news is shown, and ends with 1', async () => {
  const { terminal, said } = recorder()
  const ask = (sound: boolean) =>
    defineCommand({
      name: 'bell read',
      summary: 'Ring',
      input: v.strictObject({}),
      isBad: (answer) => answer.sound !== true,
      run: async () => ({ sound }),
    })
  const codes: number[] = []
  for (const sound of [true, false]) {
    const bells = definePlugin({ name: 'bells', summary: 'Bells', renown: '^1.0.0', commands: [ask(sound)] })
    const composition = {
      builtin: [bells],
      loadIngest: () => Promise.reject(new Error('no counter here')),
      env: { RENOWN_DATA_DIR: join(root, `bells-${sound}`) },
      workingFolder: root,
    }
    lockDataFolder(join(root, `bells-${sound}`), 'starting once', new Date()).release()
    codes.push(await runCli(['bell', 'read', '--json'], composition, terminal))
  }
  expect(codes).toEqual([0, 1])
  expect(said().out).toBe('{"sound":true}\n{"sound":false}\n')
}, 90_000)
