import { expect, test } from 'bun:test'
import { createDecision } from '../../../../../core/auth/oauth/grants/decision'
import { part } from '../../../../support/part'

/** The grant that begins when a person allows an app, whose client has more fields. */
async function grantOf(more: object) {
  const begun: object[] = []
  const decision = createDecision({
    requests: { decide: async () => true },
    grants: {
      begin: async (grant: object) => {
        begun.push(grant)
        return { id: 'grt_1', ...grant }
      },
    },
    codes: { mint: async () => 'code' },
    clients: { keep: async () => {} },
    clock: { now: () => new Date(0) },
    report: async () => {},
  } as never)
  const asked = { id: 'req_1', host: 'h', scopes: ['read'], redirect_uri: 'https://back.example/callback' }
  const client = { client_id: 'app', name: 'App', ...more }
  const allowed = { scopes: ['read'], workspace_ids: null }
  await decision.allow(asked as never, client as never, part({}), allowed as never).catch(() => null)
  return begun[0]
}

test('an app is shown by the host of its document, and without one by the host to which it returns', async () => {
  expect(await grantOf({ named_by: 'app.example' })).toMatchObject({
    is_verified: true,
    app_host: 'app.example',
  })
  expect(await grantOf({})).toMatchObject({ is_verified: false, app_host: 'back.example' })
})
