import { afterEach, beforeEach, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { Connection } from '../../../../core/outbound/Connection'
import { createMail } from '../../../../core/outbound/mail/smtp'
import { agencyCheck, mailCheck, sourcesCheck } from '../../../../core/product/checks/setup-checks'
import { jobsPlugin } from '../../../../core/product/jobs-plugin'
import { Agency } from '../../../../core/tenancy/Agency'
import { type Gate, startGate } from '../../../support/harness'
import { smtpServer } from '../../../support/smtp-server'

let gate: Gate
beforeEach(async () => {
  gate = await startGate({ plugins: [jobsPlugin([])] })
})
afterEach(() => gate.stop())

test('the mail server is signed in to, and nothing is sent', async () => {
  const server = smtpServer()
  try {
    const url = server.url('user:pass@')
    const mail = createMail({ SMTP_URL: url, MAIL_FROM: 'news@example.com' })
    expect(await mailCheck(mail)).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('news@example.com'),
    })
    server.faults.auth = '535 5.7.8 bad credentials'
    const again = createMail({ SMTP_URL: url, MAIL_FROM: 'news@example.com' })
    expect(await mailCheck(again)).toMatchObject({
      status: 'fail',
      mend: expect.stringContaining('SMTP_URL'),
    })
    expect(server.received).toEqual([])
  } finally {
    server.stop()
  }
  expect(await mailCheck(createMail({ SMTP_URL: '', MAIL_FROM: '' }))).toMatchObject({ status: 'ok' })
})

test('an installation without an agency is told how to create one', async () => {
  expect(await agencyCheck(gate.documents)).toMatchObject({ status: 'ok' })
  await gate.owner.rows(Agency).removeWhere(where.ne('id', ''))
  expect(await agencyCheck(gate.documents)).toMatchObject({
    status: 'warn',
    mend: expect.stringContaining('agency create'),
  })
})

test('sources are connected accounts that work, and credentials of plugins', async () => {
  const check = (settings = {}) => sourcesCheck(gate.documents, settings)
  expect(await check({ PLACES_API_KEY: '', PLACES_URL: 'https://x.example' })).toMatchObject({
    status: 'warn',
  })
  expect(await check({ PLACES_API_KEY: 'secret-key' })).toEqual({
    status: 'ok',
    found: '0 connected accounts, PLACES_API_KEY',
  })
  const own = { workspace_id: gate.tenant.workspaceId, provider: 'google', account_id: 'a' }
  const rows = gate.owner.rows(Connection)
  const { id } = await rows.insert({ ...own, state: 'broken' } as Parameters<typeof rows.insert>[0])
  expect(await check()).toMatchObject({ status: 'warn' })
  await rows.update(id, { state: 'connected' })
  expect(await check()).toEqual({ status: 'ok', found: '1 connected account' })
})
