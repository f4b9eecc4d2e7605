import * as v from 'valibot'
import { googleFault } from '../../contracts/google-api'
import type { ServiceAnswer } from '../../contracts/outbound'
import type { OwnerContext } from '../../contracts/plugin'
import { ServiceFault } from '../../contracts/service-fault'

type Ctx = Pick<OwnerContext, 'outbound'>

/** Asks an address of Google's and answers its JSON, or throws the fault that it means. */
export type AskGoogle = (url: string) => Promise<unknown>

/** Asks under a token that was just given. */
export const askGoogleWith =
  ({ outbound }: Ctx, token: string): AskGoogle =>
  async (url) =>
    judged(await outbound.ask({ url, headers: { authorization: `Bearer ${token}` }, secrets: [token] }))

/** Asks as a connected account; a token that is refused before its time is renewed once. */
export const askGoogleAs =
  ({ outbound }: Ctx, connectionId: string): AskGoogle =>
  async (url) => {
    const askOnce = async (renew: boolean) => {
      const token = await outbound.connections.token(connectionId, { renew })
      return outbound.ask({ url, headers: { authorization: `Bearer ${token}` }, secrets: [token] })
    }
    const first = await askOnce(false)
    return judged(first.status === 401 ? await askOnce(true) : first)
  }

function judged(answer: ServiceAnswer): unknown {
  const fault = googleFault(answer)
  if (fault === null) return answer.json
  throw fault
}

/** A page of Google's in its known form. An empty object is an empty list here; anything else that differs is a fault. */
export function readPage<S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  what: string,
): v.InferOutput<S> {
  const read = v.safeParse(schema, json)
  if (read.success) return read.output
  const [issue] = read.issues
  throw new ServiceFault(
    'transient',
    `Google's page of ${what} is in no known form: ${v.getDotPath(issue) ?? ''}`,
  )
}
