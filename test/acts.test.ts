import { describe, expect, test } from 'bun:test'
import { actsOfPrint } from '../core/kit/acts/define-act'
import { isForwarding } from '../core/kit/define-forwarding'
import { isMarking } from '../core/kit/define-marking'
import { isReading } from '../core/kit/define-reading'
import { isOperatorCommand } from '../core/kit/operator-command'
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

/** A form that changes no record of a business by itself. Its context cannot. */
const isNoDeed = (form: object) => isReading(form) || isMarking(form) || isForwarding(form)

/** Verbs of commands that change nothing. */
const reading = /(?:^| )(?:list|show|explain|verify|preview|propose)$/

/**
 * What is not printed from an act yet, by plugin: the forms of pages, and the commands that change something. A deed that
 * has both is then declared twice. A form needs no act if its context cannot change a record of a business: one by
 * `defineReading` only shows, one by `defineMarking` writes only the marks of a list, and one by `defineForwarding` does what
 * is declared elsewhere. A command by `defineOperatorCommand` is about the installation: it cannot record an audit entry. The
 * figures may only fall.
 */
const declaredByHand: Readonly<Record<string, readonly [forms: number, commands: number]>> = {
  jobs: [0, 3],
  demo: [0, 2],
}

test('the forms and commands that are not printed from an act are these', () => {
  const found = plugins.flatMap(({ name, commands = [], pages = [] }) => {
    const forms = pages.flatMap(({ actions = {}, submit }) => [
      ...Object.values(actions),
      ...(submit ? [submit] : []),
    ])
    const changing = commands.filter((one) => !reading.test(one.name) && !isOperatorCommand(one))
    const count = (all: readonly object[]) => all.filter((one) => actsOfPrint(one).length === 0).length
    const counts = [count(forms.filter((form) => !isNoDeed(form))), count(changing)] as const
    return counts.some((one) => one > 0) ? [[name, counts] as const] : []
  })
  expect(Object.fromEntries(found)).toEqual(declaredByHand)
})

/** The write operations that are not printed from an act yet, by plugin. The figures may only fall. */
const operationsByHand: Readonly<Record<string, number>> = {
  tenancy: 1,
  proposals: 1,
  reviews: 1,
  leads: 2,
  posts: 1,
}

test('the write operations that are not printed from an act are these', () => {
  const found = plugins.flatMap(({ name, operations = [] }) => {
    const count = operations.filter((one) => one.class !== 'read' && actsOfPrint(one).length === 0).length
    return count > 0 ? [[name, count] as const] : []
  })
  expect(Object.fromEntries(found)).toEqual(operationsByHand)
})
