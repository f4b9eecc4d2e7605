import type { GenericSchema, InferOutput } from 'valibot'
import { googleFault } from '../../contracts/google-api'
import type { OwnerContext } from '../../contracts/plugin'
import { isServiceFault } from '../../contracts/service-fault'

type Ctx = Pick<OwnerContext, 'outbound'>

/** Asks an address of Google's for an answer in the form of `schema`. `what` names the answer in faults. */
export type AskGoogle = <S extends GenericSchema>(
  url: string,
  what: string,
  schema: S,
) => Promise<InferOutput<S>>

/** Asks with a token that was just given. */
export const askGoogleWith =
  ({ outbound }: Ctx, token: string): AskGoogle =>
  (url, what, answer) =>
    outbound.ask({
      ...{ url, headers: { authorization: `Bearer ${token}` }, secrets: [token] },
      ...{ what, answer, faultOf: googleFault },
    })

/** Asks as a connected account. A token that Google refuses before its time is renewed once. */
export const askGoogleAs =
  ({ outbound }: Ctx, connectionId: string): AskGoogle =>
  async (...asked) => {
    const ask = async (renew: boolean) =>
      askGoogleWith({ outbound }, await outbound.connections.token(connectionId, { renew }))(...asked)
    try {
      return await ask(false)
    } catch (error) {
      if (isServiceFault(error) && error.kind === 'auth' && error.code === '401') return ask(true)
      throw error
    }
  }
