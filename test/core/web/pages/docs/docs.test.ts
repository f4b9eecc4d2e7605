import { afterAll, beforeAll, expect, test } from 'bun:test'
import { errorTable } from '../../../../../core/contracts/errors'
import { docsSheet } from '../../../../../core/web/pages/docs/docs-asset'
import { type Gate, startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const open = async (headers: Record<string, string>) => {
  const answer = await gate.ask('/docs', { key: null, headers })
  return { answer, html: await answer.text() }
}
const browser = { accept: 'text/html,*/*;q=0.8' }

test('the reference has the frame of the pages for people, with the navigation once they are signed in', async () => {
  const { cookie } = await signedIn(gate)
  const stranger = await open(browser)
  const person = await open({ ...browser, cookie })
  for (const { answer, html } of [stranger, person]) {
    expect(answer.status).toBe(200)
    expect(html.match(/<main /g)).toHaveLength(1)
    for (const name of Object.keys(errorTable)) expect(html).toContain(`id="${name}"`)
    expect(html).toContain(`href="${docsSheet}"`)
  }
  expect(stranger.html).not.toContain('aria-label="Pages"')
  expect(person.html).toContain('aria-label="Pages"')
  const sheet = await gate.ask(docsSheet, { key: null })
  expect(sheet.headers.get('cache-control')).toContain('immutable')
})

test('programs get the page on its own, which caches may keep', async () => {
  const { answer, html } = await open({ accept: '*/*' })
  expect(answer.headers.get('cache-control')).toStartWith('public')
  expect(html).not.toContain('/app/assets/')
})
