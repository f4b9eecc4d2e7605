import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobDeclaration, OwnerContext } from 'renown'
import * as testing from 'renown/testing'
import { changesFor } from '../../../core/product/proposals-plugin'
import type { Contexts, Kind, Rule } from '../../../core/registry/kind'
import { kindList, kinds } from '../../../core/registry/kinds'
import {
  type Attempt,
  functionAt,
  functionsOf,
  ownSettings,
  type Planted,
  plant,
  plantedFunctions,
  type Reader,
  reader,
  samples,
  vault,
} from './support/planted-kinds'
import { attempts, inProduct, type Made, notGiven, place, tried } from './support/planted-world'

const everything = Object.keys(attempts)
/** What the reads of a page and of an operation give. */
const reading = ['rows.hidden', 'rows.declared']
/** What pages read across workspaces. */
const system = [
  'connections.get',
  'connections.list',
  'settings.of',
  'settings.name',
  'settings.keys',
  ...reading,
].map((name) => `system.${name}`)
const ofSystem = everything.filter((name) => name !== 'rows.joined')
/** What each context gives access to. Anything else is not there. */
const accessOf: Readonly<Record<keyof Made, readonly string[]>> = {
  system: ofSystem,
  part: ofSystem,
  any: ofSystem,
  page: [...reading, 'rows.joined', ...system],
  action: [...reading, 'rows.joined', ...system, ...ofSystem.map((name) => `owner.${name}`)],
  operation: [...reading, 'settings.of', 'settings.name', 'settings.keys', 'rows.insert', 'rows.update'],
}

/** Calls a planted function as the product does. Returns what the attempt returns. */
async function planted<T>({ path, gives }: Planted, attempt: (ctx: object) => Promise<T>): Promise<T> {
  let got: Promise<T> | undefined
  const stranger = plant(path, (ctx: never) => {
    got = attempt(ctx)
    return got
  })
  return inProduct([vault, stranger], async ({ registry, made }) => {
    const { holder, run } =
      gives === 'any'
        ? { holder: {}, run: (ctx: never) => registry.extensions(reader)[0]?.read(ctx) }
        : functionAt(registry.plugins.get('stranger') ?? {}, path)
    const about = { id: 'x', workspace_id: 'wsp_1' }
    await Reflect.apply(run, holder, [made[gives as keyof Made], about, about, about])
    if (!got) throw new Error(`${path.join('.')} did not call what was planted`)
    return await got
  })
}

const withContext = plantedFunctions.filter(({ gives }) => gives !== 'nothing' && gives !== 'own')

describe.each(withContext.map((one) => [one.name, one] as const))('a plugin, by %s,', (_, one) => {
  test('reaches nothing of another plugin', async () => {
    const outcomes = await planted(one, tried)
    const given = Object.entries(outcomes).filter(([, got]) => got !== notGiven)
    expect(given.filter(isWrong)).toEqual([])
    expect(given.map(([name]) => name).sort()).toEqual([...accessOf[one.gives as keyof Made]].sort())
  })

  test('uses what is its own', async () => {
    const { gives } = one
    const used = await planted(one, async (ctx) => {
      const { system, owner } = ctx as Partial<Made['action']>
      const { outbound, settings } = (owner ?? system ?? ctx) as OwnerContext
      const at = { ...place, entity: 'Own' }
      const isSystem = gives !== 'page' && gives !== 'operation'
      return {
        setting: ownSettings.of({ settings }).OWN_KEY,
        shared: Reflect.get(settings, 'VAULT_PACE'),
        ...(isSystem && { secret: outbound.secrets.open(outbound.secrets.seal('mine', at), at) }),
        ...(isSystem && { token: await outbound.connections.token('con_own') }),
      }
    })
    const isSystem = gives !== 'page' && gives !== 'operation'
    const more = isSystem ? { secret: 'mine', token: 'token of con_own' } : {}
    expect(used).toEqual({ setting: 'mine', shared: '7', ...more })
  })
})

function isWrong([name, got]: readonly [string, unknown]): boolean {
  const [, ...refusals] = attempts[name.replace(/^(system|owner)\./, '')] ?? []
  return !refusals.some((refusal) => Bun.deepEquals(got, refusal))
}

test('an implementation that gets a context inside an object has the rights of its own plugin', async () => {
  let got: Promise<Record<string, unknown>> | undefined
  const attempt = (ctx: never) => {
    got = tried(ctx)
    return got
  }
  const reads = (about: { readonly inner: never }) => attempt(about.inner)
  const stranger = { ...plant([], attempt), provides: [reader.with({ name: 'try', read: reads } as never)] }
  await inProduct([vault, stranger], async ({ registry, made }) => {
    const [found] = registry.extensions(reader)
    await found?.read({ inner: made.system, count: 1 } as never)
  })
  const given = Object.entries((await got) ?? {}).filter(([, one]) => one !== notGiven)
  expect(given.filter(isWrong)).toEqual([])
  expect(given.length).toBe(accessOf.system.length)
})

class ClassReader {
  readonly name = 'try'
  readonly #attempt: Attempt
  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }
  read(ctx: never) {
    return this.#attempt(ctx)
  }
}
/** What the plugin of an extension point may pass to an implementation: any context, and any copy or part of one. */
const passed: readonly (readonly [string, (made: Made) => object])[] = [
  ['the context', ({ system }) => system],
  ['a copy of the context', ({ system }) => ({ ...system, random: () => 0 })],
  ['the outbound of a context', ({ system: { outbound } }) => ({ outbound })],
  ['the settings of a context', ({ system: { settings } }) => ({ settings })],
  ['the tables of a context', ({ system: { columns } }) => ({ columns })],
  ['the reads of one workspace', ({ page: { system: _, ...reads } }) => reads],
  ['the context of a page', ({ page }) => page],
  ['a copy of the context of a page', ({ page }) => ({ ...page, system: { ...page.system } })],
  ['the context of a form', ({ action }) => action],
  ['a copy of the context of a form', ({ action }) => ({ ...action, owner: { ...action.owner } })],
]

describe.each(passed)('an implementation that another plugin gives %s', (_, pass) => {
  test.each([
    ['function', (attempt: Attempt) => ({ name: 'try', read: attempt })],
    ['part', (attempt: Attempt) => ({ name: 'try', read: async () => null, parts: { read: attempt } })],
    ['class', (attempt: Attempt) => new ClassReader(attempt)],
  ])('has the rights of its own plugin: a %s', async (_form, extension) => {
    let got: Promise<Record<string, unknown>> | undefined
    const attempt = (ctx: never) => {
      got = tried(ctx)
      return got
    }
    const stranger = { ...plant([], attempt), provides: [reader.with(extension(attempt) as Reader)] }
    await inProduct([vault, stranger], async ({ registry, made }) => {
      const [found] = registry.extensions(reader)
      await (found?.parts ?? found)?.read(pass(made))
    })
    const given = Object.entries((await got) ?? {}).filter(([, one]) => one !== notGiven)
    expect(given.filter(isWrong)).toEqual([])
    expect(given.length).toBeGreaterThan(0)
  })
})

test('what agents propose is prepared, made and followed with the rights of its plugin', async () => {
  for (const name of ['prepare', 'run', 'outcome']) {
    const got: Record<string, unknown>[] = []
    const stranger = plant(['commands', '*', 'proposal', name], async (ctx: never) => {
      got.push(await tried(ctx))
    })
    const changes = changesFor([vault, stranger])
    await inProduct([vault, stranger], async ({ made }) => {
      const { proposal } = changes.get('thing test') ?? {}
      await Reflect.apply(proposal?.[name as 'prepare'] ?? (() => {}), proposal, [made.system, {}])
    })
    const given = got.flatMap((one) => Object.entries(one)).filter(([, one]) => one !== notGiven)
    expect(given.filter(isWrong)).toEqual([])
    expect(given.length).toBe(ofSystem.length)
  }
})

describe('the table of kinds', () => {
  test('has a planted function for every function of every kind, and a rule for every function', () => {
    const listed = plantedFunctions.map(({ name }) => name).filter((name) => name !== 'provides.*.extension')
    expect(functionsOf(samples).sort()).toEqual(listed.sort())
  })

  test('has at most twenty kinds', () => {
    expect(kindList.length).toBeLessThanOrEqual(20)
  })

  test.each(kindList)(
    'says of %s what tries it and which chapter describes it',
    (key, { word, triedBy, chapter }) => {
      expect(triedBy.filter((name) => !Object.keys(testing).includes(name))).toEqual([])
      const described = chaptersOf(chapter).filter((text) =>
        new RegExp(`\\b(?:${key}|${word})\\b`).test(text),
      )
      expect(described).not.toEqual([])
    },
  )

  test('is checked by the compiler: no function without a rule, and no context without one', () => {
    const none: Rule<'nothing'> = { gives: 'nothing', give: null }
    const system: Rule<'system'> = { gives: 'system', give: (own, [ctx]) => own(ctx as object) }
    const sound: Contexts<JobDeclaration> = { run: system }
    // @ts-expect-error A function without a rule.
    const forgotten: Contexts<JobDeclaration> = {}
    // @ts-expect-error A function that takes the system context, and whose rule gives none.
    const unconfined: Contexts<JobDeclaration> = { run: none }
    // @ts-expect-error A function that takes no context, and whose rule gives one.
    const strange: Contexts<{ readonly name: (given: string) => string }> = { name: system }
    // @ts-expect-error A kind without contexts.
    const bare: Kind<'jobs'> = (({ contexts: _, ...rest }) => rest)(kinds.jobs)
    expect([sound, forgotten, unconfined, strange, bare]).toHaveLength(5)
  })
})

/** Returns the texts of the documents under a heading. */
function chaptersOf(heading: string): string[] {
  const docs = join(import.meta.dir, '../../../docs')
  return readdirSync(docs, { recursive: true })
    .filter((name) => String(name).endsWith('.md'))
    .flatMap((name) => readFileSync(join(docs, String(name)), 'utf8').split(/^(?=#{1,3} )/m))
    .filter((text) => text.split('\n', 1)[0]?.replace(/^#+ (\d+\. )?/, '') === heading)
}
