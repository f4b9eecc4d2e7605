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

/** Commands that change nothing: by their verb, and two that prove what is there. */
const isReadingCommand = ({ name }: { readonly name: string }) =>
  /(?:^| )(?:list|show|explain|preview|propose)$/.test(name) ||
  ['review verify', 'report verify'].includes(name)

/**
 * A deed is declared once, as an act: its forms, its command and its operation are printed from it. A form needs no act if
 * its context cannot change a record of a business: one by `defineReading` only shows, one by `defineMarking` writes only the
 * marks of a list, and one by `defineForwarding` does what is declared elsewhere. A command by `defineOperatorCommand` is about
 * the installation: it cannot record an audit entry.
 */
test('every form and every command that changes something is printed from an act', () => {
  const found = plugins.flatMap(({ name, commands = [], pages = [] }) => {
    const forms = pages.flatMap(({ path, actions = {}, submit }) => [
      ...Object.entries(actions).map(([form, action]) => [`${path}/${form}`, action] as const),
      ...(submit ? [[path, submit] as const] : []),
    ])
    const changing = commands.filter((one) => !isReadingCommand(one) && !isOperatorCommand(one))
    return [
      ...forms.filter(([, form]) => !isNoDeed(form) && actsOfPrint(form).length === 0).map(([at]) => at),
      ...changing.filter((one) => actsOfPrint(one).length === 0).map((one) => one.name),
    ].map((what) => `${name}: ${what}`)
  })
  expect(found).toEqual([])
})

/** The write operations that no act has, each with its reason. */
const operationsByHand: Readonly<Record<string, string>> = {
  proposeChange: 'stores a proposal of any act. The proposals themselves are printed from acts',
  generatePostDraft:
    'has a model write a post, which people do on no page. `post create` takes the whole post of a person',
}

test('every operation that writes is printed from an act, apart from marks, whose context only stamps', () => {
  const found = plugins.flatMap(({ operations = [] }) =>
    operations.filter((one) => !['read', 'mark'].includes(one.class) && actsOfPrint(one).length === 0),
  )
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(operationsByHand).sort())
})
