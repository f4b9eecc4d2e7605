import { type OwnerContext, type ServiceFault, statusFault } from 'renown'
import { type AddressAnswer, askAddress, baseAddress, type PostChannelInfo } from 'renown/posts'
import type { KeyUse } from 'renown/sending'
import * as v from 'valibot'
import { keyLifetimeMs } from './key-lifetime'

const accountForm = v.object({ id: v.pipe(v.string(), v.minLength(1)), username: v.string() })
const errorForm = v.object({ error: v.string() })

/** The account of a location on its server. */
export interface MastodonAccount {
  readonly id: string
  /** The address of the server. */
  readonly base: string
  /** How the server recognizes repeated calls. */
  readonly keys: KeyUse
  readonly ask: ReturnType<typeof asker>
}

/** Checks the token, and returns its account. */
export async function openAccount(
  ctx: OwnerContext,
  { address, secret }: Pick<PostChannelInfo, 'address' | 'secret'>,
): Promise<MastodonAccount> {
  const base = baseAddress(address)
  const ask = asker(ctx, base, secret)
  const asked = { what: "Mastodon's account" }
  const { id } = await ask('/api/v1/accounts/verify_credentials', accountForm, asked)
  return { id, base, ask, keys: { lifetimeMs: () => keyLifetimeMs(ctx, base) } }
}

interface Asked {
  readonly what: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function asker(ctx: OwnerContext, base: string, token: string) {
  return <S extends v.GenericSchema>(path: string, answer: S, { headers, ...asked }: Asked) =>
    askAddress(ctx, {
      ...asked,
      url: `${base}${path}`,
      answer,
      faultOf: mastodonFault,
      secrets: [token],
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
}

function mastodonFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  return said.success ? statusFault(answer, `Mastodon refused: ${said.output.error}`) : null
}
