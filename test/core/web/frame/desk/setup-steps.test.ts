import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin } from '../../../../../core/doors/front'
import { type SetupStep, setupStep } from '../../../../../core/doors/pages'
import { splitAddress } from '../../../../../core/kit/page-addresses'
import { inbox } from '../../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../../core/product/jobs-plugin'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { createSetupSteps } from '../../../../../core/web/frame/desk/setup-steps'
import type { PageReader, Route } from '../../../../../core/web/framework/route'
import { type Gate, startGate } from '../../../../support/harness'
import { quietLog } from '../../../../support/quiet-log'
import { formOf, signedIn } from '../../../../support/signed-in'

/** The workspaces that have letters, and how often the plugin was asked for each. */
const done = new Set<string>()
let asked: string[] = []
let fault = ''
const letters: SetupStep = {
  name: 'letters',
  label: 'Send a letter',
  href: '/app/account',
  order: 20,
  async isDone(_ctx, workspaceId) {
    asked.push(workspaceId)
    if (fault !== '') throw new Error(fault)
    return done.has(workspaceId)
  },
}
const stamps: SetupStep = {
  name: 'stamps',
  label: 'Buy stamps',
  href: '/app/notifications',
  order: 10,
  isDone: async (_ctx, workspaceId) => done.has(`${workspaceId} stamps`),
}
const astray: SetupStep = {
  name: 'astray',
  label: 'Go astray',
  href: '/app/nowhere',
  order: 30,
  isDone: async () => false,
}
const plugin = definePlugin({
  name: 'letters',
  summary: 'Letters',
  renown: '^1.0.0',
  provides: [letters, stamps, astray].map((step) => setupStep.with(step)),
})

let gate: Gate
let cookie: string
let userId: string
let csrf: string
const warnings: [string, unknown][] = []
beforeAll(async () => {
  const log = { ...quietLog, warn: (words: string, about?: object) => void warnings.push([words, about]) }
  gate = await startGate({ plugins: [plugin, inbox, jobsPlugin([])], log })
  const person = await signedIn(gate)
  cookie = person.cookie
  userId = person.userId
  csrf = person.session.csrf_token
})
afterAll(() => gate.stop())
beforeEach(() => {
  // Longer than any answer is used.
  gate.clock.advance(10 * 60_000)
  done.clear()
  asked = []
  fault = ''
  warnings.length = 0
})

/** Opens a page, and returns the open steps of the side bar and of the sheet on phones. */
const open = async (path = '/app/account') => {
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  const groups = [...html.matchAll(/<ul[^>]*aria-label="Set up"[^>]*>(.*?)<\/ul>/gs)]
  return groups.map(([, list = '']) =>
    [...list.matchAll(/href="([^"]+)"[^>]*title="([^"]+)"/g)].map(
      ([, href = '', label]) => `${label}: ${splitAddress(href).path}`,
    ),
  )
}
const both = ['Buy stamps: /app/notifications', 'Send a letter: /app/account']

describe('the open steps in the side bar', () => {
  test('are in order, in the side bar and in the sheet on phones, and lead to pages that are there', async () => {
    expect(await open()).toEqual([both, both])
  })

  test('lose a step that is done, and are gone when all are done', async () => {
    const { workspaceId } = gate.tenant
    done.add(workspaceId)
    expect(await open()).toEqual([both.slice(0, 1), both.slice(0, 1)])
    gate.clock.advance(10 * 60_000)
    done.add(`${workspaceId} stamps`)
    expect(await open()).toEqual([])
  })

  test('are not for members', async () => {
    await gate.owner.rows(User).update(userId, { role: 'member', workspace_ids: [gate.tenant.workspaceId] })
    try {
      expect(await open()).toEqual([])
      expect(asked).toEqual([])
    } finally {
      await gate.owner.rows(User).update(userId, { role: 'owner', workspace_ids: undefined })
    }
    expect(await open()).toEqual([both, both])
  })

  test('are not in a demo', async () => {
    const { workspaceId } = gate.tenant
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: true })
    try {
      expect(await open()).toEqual([])
      expect(asked).toEqual([])
    } finally {
      await gate.owner.rows(Workspace).update(workspaceId, { is_demo: false })
    }
  })

  test('leave out a step whose check fails, log it, and ask again after a minute', async () => {
    fault = 'the post office is closed'
    expect(await open()).toEqual([both.slice(0, 1), both.slice(0, 1)])
    await open()
    const about = { step: 'letters', workspace_id: gate.tenant.workspaceId, error: fault }
    expect(warnings.filter(([words]) => words.includes('setup step'))).toEqual([
      ['A setup step could not be checked, so it is not shown', about],
    ])
    fault = ''
    gate.clock.advance(61_000)
    expect(await open()).toEqual([both, both])
  })

  test('of one workspace are not those of another', async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    done.add(workspaceId)
    expect(await open(`/app/w/${workspaceId}/account`)).toEqual([both.slice(0, 1), both.slice(0, 1)])
    expect(await open(`/app/w/${otherWorkspaceId}/account`)).toEqual([both, both])
    expect(await open(`/app/w/${workspaceId}/account`)).toEqual([both.slice(0, 1), both.slice(0, 1)])
    expect(asked).toEqual([workspaceId, otherWorkspaceId])
  })

  test('are checked once for pages opened in a row, and again after a form', async () => {
    const { workspaceId } = gate.tenant
    gate.clock.stop()
    await open(`/app/w/${workspaceId}/account`)
    await open()
    await open('/app/notifications')
    expect(asked).toEqual([workspaceId])
    done.add(workspaceId)
    const form = formOf({ csrf, side: 'icons', back: '/app/account' }, { cookie })
    expect((await gate.ask('/app/look', form)).status).toBe(303)
    expect(await open()).toEqual([both.slice(0, 1), both.slice(0, 1)])
  })
})

test('a check that never ends, and one that answers no boolean, hold up no page', async () => {
  const seen: unknown[] = []
  const given = [
    { ...letters, isDone: () => new Promise<boolean>(() => {}) },
    { ...stamps, isDone: async () => undefined as unknown as boolean },
    { ...stamps, name: 'paper', label: 'Buy paper', isDone: async () => false },
  ]
  const { open: openSteps } = createSetupSteps({
    owner: { ...gate.owner, extensions: () => given as never },
    clock: gate.clock,
    log: { ...quietLog, warn: (_words: string, about?: object) => void seen.push(about) },
    waitMs: 1,
  })
  const who = {
    person: { role: 'owner', agency_id: 'agc_1' },
    place: { id: 'wsp_1', is_demo: false },
  } as PageReader
  const pages = ['/app/account', '/app/notifications'].map(
    (path) => ({ path, method: 'GET', auth: 'session' }) as Route,
  )
  expect(await openSteps(pages, who)).toEqual([{ label: 'Buy paper', href: '/app/notifications' }])
  expect(seen).toMatchObject([
    { step: 'stamps', error: 'isDone returned undefined, not true or false' },
    { step: 'letters', error: 'No answer within 1 ms' },
  ])
})
