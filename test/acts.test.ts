import { describe, expect, test } from 'bun:test'
import { actsOfPrint } from '../core/kit/acts/define-act'
import { isReading } from '../core/kit/define-reading'
import { withCore } from '../core/product/core-plugins'
import { commandNameFault } from '../core/registry/command-grammar'
import { builtin } from '../plugins/index'
import { shippedActs } from './support/printed-acts'

const plugins = withCore(builtin)
const acts = [...shippedActs().values()].flat().map(({ declared }) => declared)
const commands = new Set(plugins.flatMap(({ commands = [] }) => commands.map(({ name }) => name)))

describe('every act', () => {
  test('is named as commands are, once', () => {
    expect(acts.filter(({ name }) => commandNameFault(name) !== null).map(({ name }) => name)).toEqual([])
    expect(acts.length).toBe(new Set(acts.map(({ name }) => name)).size)
  })

  test('that can be taken back names what takes it back', () => {
    const named = acts.flatMap(({ undo }) => undo ?? [])
    const known = new Set([...acts.map(({ name }) => name), ...commands])
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('has words for its button and after it', () => {
    for (const { label, done } of acts.filter(({ isShellOnly }) => !isShellOnly)) {
      expect(label).toMatch(/^[A-Z][^.]+$/)
      for (const sentence of [done].flatMap((one) =>
        typeof one === 'string' ? one : Object.values(one ?? {}),
      ))
        expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })
})

/** Verbs of commands that change nothing. */
const reading = /(?:^| )(?:list|show|explain|verify|preview|propose)$/

/**
 * What is not printed from an act yet, by plugin: the forms of pages, and the commands that change something. A deed that
 * has both is then declared twice. A form by `defineReading` cannot change anything, so it needs no act. The figures may only fall.
 */
const declaredByHand: Readonly<Record<string, readonly [forms: number, commands: number]>> = {
  gate: [0, 3],
  tenancy: [1, 14],
  people: [0, 5],
  inbox: [9, 0],
  jobs: [0, 5],
  proposals: [3, 0],
  locations: [1, 0],
  visibility: [4, 7],
  traffic: [13, 7],
  leads: [8, 7],
  prospects: [0, 2],
  enrichment: [0, 2],
  billing: [0, 3],
  demo: [0, 2],
}

test('the forms and commands that are not printed from an act are these', () => {
  const found = plugins.flatMap(({ name, commands = [], pages = [] }) => {
    const forms = pages.flatMap(({ actions = {}, submit }) => [
      ...Object.values(actions),
      ...(submit ? [submit] : []),
    ])
    const changing = commands.filter((one) => !reading.test(one.name))
    const count = (all: readonly object[]) => all.filter((one) => actsOfPrint(one).length === 0).length
    const counts = [count(forms.filter((form) => !isReading(form))), count(changing)] as const
    return counts.some((one) => one > 0) ? [[name, counts] as const] : []
  })
  expect(Object.fromEntries(found)).toEqual(declaredByHand)
})
