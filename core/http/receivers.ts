import { jsonBounds, parseForeignJson } from '../contracts/bounded-json'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/owner'
import type { ReceivingAddress } from '../contracts/receiver'
import { minuteMs } from '../contracts/time'
import { isSigned } from '../kit/webhook-signature'
import { sha256Hex } from '../process/crypto'
import type { Registry } from '../registry/registry'
import { readJson } from '../requests/body'
import { headerText } from '../requests/headers'
import type { Limits } from '../requests/limits'
import type { RequestState } from '../requests/request'
import { currentWork } from '../work/scope'

export interface ReceiverDeps {
  readonly registry: Pick<Registry, 'receivers'>
  readonly limits: Pick<Limits, 'count'>
  readonly owner: OwnerContext
}

/** The path under which services outside send messages. */
export const receiverPath = '/in/'

const tokenForm = /^[0-9A-Za-z_-]{20,120}$/
/** How old a signature may be, and how far a sender's clock may be ahead. */
const signatureMs = 5 * minuteMs

/**
 * Answers a message from outside. Nothing of it is read before its token is counted and known. Unknown receivers and
 * unknown tokens get the same answer.
 */
export async function receiveMessage(
  { registry, limits, owner }: ReceiverDeps,
  request: Request,
  state: RequestState,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<Response> {
  const receiver = registry.receivers.get(name)
  const hash = tokenForm.test(token) ? await sha256Hex(token) : null
  if (hash !== null) limits.count(state, 'inboundMessage', { credential: hash })
  const address = receiver && hash !== null ? await receiver.find(owner, hash) : null
  if (!receiver || !address) {
    limits.count(state, 'failure')
    throw new Refusal('not_found', 'There is nothing at this address.')
  }
  const { text, value } = await readJson(request, (body) => parseForeignJson(body, jsonBounds))
  checkSignature(request.headers, text, address, owner.now())
  if (value === undefined) throw new Refusal('malformed_body', 'The body is not JSON.')
  await owner.requireActive(address.workspace_id)
  currentWork().commit()
  const answer = await receiver.receive(owner, address, value)
  return Response.json(answer, { status: 202, headers: { 'cache-control': 'no-store' } })
}

function checkSignature(headers: Headers, body: string, { secrets }: ReceivingAddress, now: Date) {
  if (secrets.length === 0) return
  const id = headerText(headers, 'webhook-id')
  const signature = headerText(headers, 'webhook-signature')
  const sent = headerText(headers, 'webhook-timestamp')
  const timestamp = /^\d{1,12}$/.test(sent) ? Number(sent) : Number.NaN
  const isRecent = Math.abs(now.getTime() - timestamp * 1_000) <= signatureMs
  const isValid = secrets.some((secret) => isSigned({ id, timestamp, body }, signature, secret))
  if (id !== '' && isRecent && isValid) return
  throw new Refusal('unauthenticated', 'The message has no valid signature of Standard Webhooks.', {
    hint: 'Sign it with the secret of this address, and send webhook-id, webhook-timestamp and webhook-signature. A signature is valid for five minutes.',
  })
}
