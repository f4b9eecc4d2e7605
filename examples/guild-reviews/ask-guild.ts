import { foreignFault, ServiceFault, statusFault } from 'renown'
import type { ProviderContext, ServiceAnswer } from 'renown/sources'
import * as v from 'valibot'
import { guildSettings } from './settings'

/** A request to the Guild, with the only form of its answer that counts. */
export interface GuildRequest<S extends v.GenericSchema> {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly token: string
  /** The requested thing, as it appears in errors. */
  readonly what: string
  readonly answer: S
  readonly signal?: AbortSignal
}

/** Asks the Guild. Throws a ServiceFault for every answer that is not in the given form. */
export function askGuild<S extends v.GenericSchema>(
  ctx: ProviderContext,
  { path, query = {}, token, what, answer, signal }: GuildRequest<S>,
): Promise<v.InferOutput<S>> {
  return ctx.outbound.ask({
    what,
    answer,
    faultOf: guildFault,
    secrets: [token],
    ...(signal && { signal }),
    url: `${guildSettings.of(ctx).GUILD_URL}/v1/${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${token}` },
  })
}

const refusal = v.object({
  error: v.object({ code: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)), message: v.string() }),
})

/** Reads the Guild's own error form. An error in another form says nothing but its status. */
function guildFault(answer: ServiceAnswer): ServiceFault | null {
  const said = v.safeParse(refusal, answer.json)
  if (!said.success) return answer.status === 200 ? null : foreignFault(answer, 'The Guild')
  const { code, message } = said.output.error
  const fault = statusFault(answer, `The Guild: ${message}`)
  if (!fault) return null
  const { kind, retryAfterMs } = fault
  return new ServiceFault(kind, fault.message, { code, retryAfterMs })
}
