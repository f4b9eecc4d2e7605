import type { ConsentStart } from '../../contracts/connection'
import type { Row } from '../../contracts/entity'
import { messageOf, Refusal } from '../../contracts/errors'
import type { SealedPlace } from '../../contracts/outbound'
import type { OwnerContext } from '../../contracts/plugin'
import { hourMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { randomText, sha256Hex } from '../../process/crypto'
import { ServiceConsent } from './ServiceConsent'

export type Consent = Row<typeof ServiceConsent>

/** The person who connects an account, and their host. */
export interface Asker {
  readonly session_id: string
  /** Origin of the requested host. */
  readonly host: string
}

/** Consents in progress: each belongs to one sign-in, lasts ten minutes and accepts one answer. */
export interface Consents {
  begin(provider: string, workspaceId: string, asker: Asker): Promise<ConsentStart>
  /**
   * Accepts the answer with this state, once, from the session that started it. Throws a Refusal for any
   * other.
   */
  take(
    provider: string,
    state: string,
    asker: Asker,
  ): Promise<{ readonly consent: Consent; readonly verifier: string }>
  /** Stores the token, so that the person can choose among its accounts. */
  choose(consent: Consent, userToken: string): Promise<void>
  /** Returns the consent whose accounts the person chooses, for the session that started it. */
  choosing(
    provider: string,
    id: string,
    asker: Asker,
  ): Promise<{ readonly consent: Consent; readonly userToken: string }>
  /** Ends the choice. False if it had already ended. */
  end(consent: Consent): Promise<boolean>
}

const validMs = 10 * 60_000
const keptMs = hourMs
const stateForm = /^[0-9A-Za-z]{43}$/

/** The path that a service redirects people to. It has to be registered with the service. */
export const callbackPath = (provider: string) => `/app/settings/connections/${provider}/callback`

export function createConsents(ctx: OwnerContext): Consents {
  const rows = ctx.rows(ServiceConsent)
  const { secrets } = ctx.outbound
  const after = (ms: number) => new Date(ctx.now().getTime() + ms).toISOString()
  const isOver = ({ valid_until }: Consent) => valid_until <= ctx.now().toISOString()
  const open = (consent: Consent, field: 'verifier' | 'user_token') =>
    secrets.open(consent[field] ?? '', placeOf(consent, field))

  return {
    async begin(provider, workspace_id, { session_id, host }) {
      const state = randomText(43)
      const verifier = randomText(64)
      const id = await idOf(state)
      await rows.insert({
        id,
        workspace_id,
        provider,
        session_id,
        host,
        step: 'asked',
        verifier: sealable(() => secrets.seal(verifier, placeOf({ id, workspace_id }, 'verifier'))),
        valid_until: after(validMs),
        expires_at: after(keptMs),
      })
      const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
      return { state, challenge, redirectUri: `${host}${callbackPath(provider)}` }
    },
    async take(provider, state, asker) {
      const consent = stateForm.test(state) ? await rows.get(await idOf(state)) : null
      if (!consent || consent.provider !== provider || !isOf(consent, asker)) throw refused(strange)
      if (consent.step !== 'asked') throw refused(again)
      if (isOver(consent)) throw refused(late)
      const unused = where.and(where.eq('id', consent.id), where.eq('step', 'asked'))
      const taken = await rows.updateWhere(unused, { step: 'done', verifier: undefined })
      if (!taken) throw refused(again)
      return { consent, verifier: open(consent, 'verifier') }
    },
    async choose(consent, userToken) {
      const user_token = secrets.seal(userToken, placeOf(consent, 'user_token'))
      await rows.update(consent.id, { step: 'choosing', user_token, valid_until: after(validMs) })
    },
    async choosing(provider, id, asker) {
      const consent = await rows.get(id)
      if (!consent || consent.provider !== provider || !isOf(consent, asker)) throw refused(strange)
      if (consent.step !== 'choosing') throw refused(again)
      if (isOver(consent)) throw refused(late)
      return { consent, userToken: open(consent, 'user_token') }
    },
    async end({ id }) {
      const open = where.and(where.eq('id', id), where.eq('step', 'choosing'))
      return (await rows.updateWhere(open, { step: 'done', user_token: undefined })) !== null
    },
  }
}

const strange =
  'This browser did not start this connection, or you signed in again since. Start again under Connections, and finish in the same browser.'
const again =
  'This answer was used before. If the account is not listed under Connections, start again there.'
const late = 'The answer came after more than ten minutes. Start again under Connections.'

const refused = (words: string) => new Refusal('malformed_request', words)

const isOf = (consent: Consent, { session_id, host }: Asker) =>
  consent.session_id === session_id && consent.host === host

const idOf = async (state: string) => `${ServiceConsent.idPrefix}_${await sha256Hex(`consent ${state}`)}`

const placeOf = (
  { id, workspace_id }: Pick<Consent, 'id' | 'workspace_id'>,
  field: 'verifier' | 'user_token',
): SealedPlace => ({ entity: ServiceConsent.name, workspace_id, id, field })

/** Encrypts before the redirect to the service, so that a missing key is noticed first. */
function sealable(seal: () => string): string {
  try {
    return seal()
  } catch (error) {
    throw new Refusal('unavailable', messageOf(error))
  }
}
