import { expect, test } from 'bun:test'
import type { VisibilityEngine } from '../../../../plugins/visibility/engines/engine'
import { engineLabels, engineTrouble } from '../../../../plugins/visibility/pages/engine-labels'
import { part } from '../../../support/part'

const now = '2026-11-28T12:00:00.000Z'
const later = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
type Context = Parameters<typeof engineTrouble>[0]
type Tracker = Parameters<typeof engineTrouble>[2][number]

const engine = (provider: string, ...needs: string[]) =>
  part<VisibilityEngine>({ engine: 'gemini', provider, label: 'Gemini', needs: () => needs })
const context = (...engines: VisibilityEngine[]): Context => ({
  now: () => new Date(now),
  system: part<Context['system']>({ extensions: (() => engines) as Context['system']['extensions'] }),
})
const tracker = (provider: string, holds?: Tracker['holds'], engines = ['gemini']): Tracker => ({
  provider: provider as Tracker['provider'],
  engines,
  ...(holds === undefined ? {} : { holds }),
})
const hold = (reason: string, until: string, of = 'gemini') =>
  part<NonNullable<Tracker['holds']>[number]>({ engine: of, reason, until })

test('an engine has the name that its plugin gives it, and else that of its id', () => {
  const labelOf = engineLabels({ system: context(engine('google')).system })
  expect([labelOf('gemini'), labelOf('other_one')]).toEqual(['Gemini', expect.stringMatching(/^Other/)])
})

test('an engine that no plugin reaches or that is not set up says so, if a tracker asks it', () => {
  const trouble = (all: readonly Tracker[], ...engines: VisibilityEngine[]) =>
    engineTrouble(context(...engines), 'gemini', all)
  expect(trouble([tracker('google')], engine('google'))).toBeNull()
  expect(trouble([tracker('google')])).toBe('No plugin reaches it by google.')
  expect(trouble([tracker('google')], engine('other'))).toBe('No plugin reaches it by google.')
  expect(trouble([tracker('google')], engine('google', 'A_KEY', 'B_KEY'))).toBe(
    'It is not set up: set A_KEY and B_KEY.',
  )
  expect(trouble([tracker('google'), tracker('other')], engine('google'))).toBe(
    'No plugin reaches it by other.',
  )
  expect(trouble([tracker('google', undefined, ['openai'])])).toBeNull()
  expect(trouble([])).toBeNull()
})

test('an engine that waits says why until its time, without its own name', () => {
  const trouble = (...holds: NonNullable<Tracker['holds']>) =>
    engineTrouble(context(engine('google')), 'gemini', [tracker('google'), tracker('google', holds)])
  expect(trouble(hold('gemini: too many questions', later(1)))).toBe('too many questions')
  expect(trouble(hold('gemini: too many questions', now))).toBeNull()
  expect(trouble(hold('x', later(1), 'openai'))).toBeNull()
  expect(trouble(hold('over', later(-1)), hold('first', later(5)), hold('second', later(9)))).toBe('first')
})
