import { isServiceFault } from 'renown'
import {
  type AccountContext,
  type ProviderContext,
  rpcStatusFault,
  type ServiceAnswer,
  type ServiceRequest,
} from 'renown/sources'
import type { GenericSchema, InferOutput } from 'valibot'

/** Reads the error of an answer by Google, or returns null if it has none. */
export const googleFault = (answer: ServiceAnswer) => rpcStatusFault(answer, 'Google')

/** A request to one of Google's business APIs. */
export type GoogleRequest<S extends GenericSchema> = Pick<
  ServiceRequest<S>,
  'url' | 'method' | 'json' | 'signal' | 'isUrgent' | 'what' | 'answer'
>

/** Calls Google with a known token. */
export type AskGoogle = <S extends GenericSchema>(asked: GoogleRequest<S>) => Promise<InferOutput<S>>

/** Calls Google with a token that it has just issued. */
export const askGoogleWith = <S extends GenericSchema>(
  { outbound }: Pick<ProviderContext, 'outbound'>,
  token: string,
  asked: GoogleRequest<S>,
): Promise<InferOutput<S>> => {
  const headers = { authorization: `Bearer ${token}` }
  return outbound.ask({ ...asked, headers, secrets: [token], faultOf: googleFault })
}

/**
 * Sends a request to Google as a connected account. If Google refuses the token, it is renewed and the
 * request repeated. A second refusal is thrown: `isRefusedToken` recognizes it.
 */
export async function askGoogleAs<S extends GenericSchema>(
  { outbound }: Pick<AccountContext, 'outbound'>,
  connection: string,
  asked: GoogleRequest<S>,
): Promise<InferOutput<S>> {
  const once = async (renew: boolean) =>
    askGoogleWith({ outbound }, await outbound.connections.token(connection, { renew }), asked)
  try {
    return await once(false)
  } catch (error) {
    if (isRefusedToken(error)) return once(true)
    throw error
  }
}

/**
 * Whether Google answered 401 to a token. A connection that is already broken throws `auth` without this
 * code.
 */
export const isRefusedToken = (error: unknown): boolean => isServiceFault(error) && error.code === '401'
