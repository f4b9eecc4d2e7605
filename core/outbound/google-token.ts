import * as v from 'valibot'
import type { AskService } from '../contracts/outbound'
import { ServiceFault, statusFault } from '../contracts/service-fault'
import { redact } from './redact'

/** This installation as Google knows it. */
export interface GoogleClient {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A renewed token. */
export interface Renewed {
  readonly accessToken: string
  readonly livesMs: number
  /** Where the service replaced it. */
  readonly refreshToken?: string | undefined
}

const granted = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(1)),
  refresh_token: v.optional(v.string()),
})
const refused = v.object({ error: v.string(), error_description: v.optional(v.string()) })

/** Refreshes at Google. `invalid_grant` is the end of the connection, `invalid_client` a fault of the settings. */
export async function renewGoogle(
  { ask, google }: { readonly ask: AskService; readonly google: GoogleClient },
  refreshToken: string,
): Promise<Renewed> {
  if (google.clientId === '') {
    throw new ServiceFault(
      'unsupported',
      'Google is not set up: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    )
  }
  const secrets = [refreshToken, google.clientSecret]
  const answer = await ask({
    url: google.tokenUrl,
    form: {
      grant_type: 'refresh_token',
      client_id: google.clientId,
      client_secret: google.clientSecret,
      refresh_token: refreshToken,
    },
    secrets,
  })
  const read = v.safeParse(granted, answer.json)
  if (answer.status === 200 && read.success) {
    const { access_token, expires_in, refresh_token } = read.output
    return { accessToken: access_token, livesMs: expires_in * 1_000, refreshToken: refresh_token }
  }
  const said = v.safeParse(refused, answer.json)
  const code = said.success ? said.output.error : undefined
  const words = redact((said.success && said.output.error_description) || code || 'no reason', secrets)
  if (code === 'invalid_grant')
    throw new ServiceFault('auth', `Google ended the connection: ${words}`, { code })
  if (code === 'invalid_client' || code === 'unauthorized_client')
    throw new ServiceFault('permission', `Google does not know this installation: ${words}`, { code })
  throw (
    statusFault(answer, `Google did not renew the token: ${words}`) ??
    new ServiceFault('transient', 'Google answered in no known form')
  )
}
