import { isServiceFault, trimTrailing } from 'renown'
import { askSource, type SourceAsk, type SourceContext, type SourceService } from 'renown/leads'
import { productState } from 'renown/pages'
import * as v from 'valibot'
import { blueskySettings } from './settings'

const words = v.pipe(v.string(), v.minLength(1))
const session = v.object({ accessJwt: words, did: words })
type Session = v.InferOutput<typeof session>

/** The session of the account, until the server no longer accepts it. Bluesky allows few sign-ins a day. */
const sessions = productState(() => new Map<string, Session>())

function serviceOf(ctx: SourceContext, token?: string): SourceService {
  const { BLUESKY_APP_PASSWORD: password } = blueskySettings.of(ctx)
  return {
    label: 'Bluesky',
    keyNames: ['BLUESKY_HANDLE', 'BLUESKY_APP_PASSWORD'],
    secrets: [password, ...(token === undefined ? [] : [token])],
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    kindOf: (code) => (code === 'RateLimitExceeded' ? 'rate' : undefined),
  }
}

/** Returns the names of the settings of the account that are missing. */
export function blueskyNeeds(ctx: Pick<SourceContext, 'settings'>): string[] {
  const { BLUESKY_HANDLE, BLUESKY_APP_PASSWORD } = blueskySettings.of(ctx)
  return Object.entries({ BLUESKY_HANDLE, BLUESKY_APP_PASSWORD }).flatMap(([name, value]) =>
    value === '' ? [name] : [],
  )
}

/** Calls a method of the account's server. Signs in first if there is no session, or if it has ended. */
export async function askBluesky<S extends v.GenericSchema>(
  ctx: SourceContext,
  method: string,
  asked: Omit<SourceAsk<S>, 'url'>,
): Promise<v.InferOutput<S>> {
  const { BLUESKY_URL, BLUESKY_HANDLE: identifier, BLUESKY_APP_PASSWORD: password } = blueskySettings.of(ctx)
  const base = `${trimTrailing(BLUESKY_URL, '/')}/xrpc`
  const key = `${base} ${identifier}`
  const known = sessions(ctx).get(key)
  const send = ({ accessJwt }: Session) =>
    askSource(ctx, serviceOf(ctx, accessJwt), { ...asked, url: `${base}/${method}` })
  if (known) {
    try {
      return await send(known)
    } catch (error) {
      if (!isServiceFault(error) || !hasEnded(error.code)) throw error
      sessions(ctx).delete(key)
    }
  }
  const opened = await askSource(ctx, serviceOf(ctx), {
    url: `${base}/com.atproto.server.createSession`,
    json: { identifier, password },
    answer: session,
    signal: asked.signal,
  })
  sessions(ctx).set(key, opened)
  return send(opened)
}

const hasEnded = (code: string | undefined) => code === 'ExpiredToken' || code === 'InvalidToken'
