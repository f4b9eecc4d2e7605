import { expect, test } from 'bun:test'
import type { ServiceAnswer } from '../../../core/contracts/outbound'
import type { ServiceFault } from '../../../core/contracts/service-fault'
import { askToken } from '../../../core/kit/oauth-token'

/** A service that answers every request for a token with an error of OAuth. */
const faultOf = async (error: string, grant_type: string): Promise<ServiceFault> => {
  const answer = { status: 400, json: { error }, headers: new Headers() } as ServiceAnswer
  const ask = async (request: { faultOf(answer: ServiceAnswer): ServiceFault | null }) => {
    throw request.faultOf(answer) ?? new Error('no fault')
  }
  const ctx = { outbound: { ask } } as never
  const asked = { url: 'https://service.test/token', form: { grant_type }, secrets: [], label: 'Acme' }
  const outcome = await askToken(ctx, { ...asked, clientSettings: ['ACME_ID'] }).catch(
    (fault: unknown) => fault,
  )
  return outcome as ServiceFault
}

test.each([
  ['invalid_grant', 'refresh_token', 'auth', 'Acme ended the connection'],
  ['invalid_grant', 'authorization_code', 'permanent', 'Acme no longer accepts the code'],
  ['invalid_client', 'refresh_token', 'permission', 'ACME_ID'],
  ['redirect_uri_mismatch', 'authorization_code', 'permission', 'the redirect address'],
  ['invalid_request', 'refresh_token', 'permanent', 'Acme returned no token'],
])('%s for %s is of kind %s', async (error, grant, kind, words) => {
  const fault = await faultOf(error, grant)
  expect<unknown>(fault.kind).toBe(kind)
  expect(fault.message).toContain(words)
})
