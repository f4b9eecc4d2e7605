// Sending something once: attempts and their proof, drafts, webhooks, deliveries to subscribers.

export { mayCallBack, subscriberFault } from '../auth/event-subscriber'
export type * from '../contracts/event-delivery'
export { callbackFailures, EventDeliveryFault, eventDelivery } from '../contracts/event-delivery'
export type * from '../contracts/receiver'
export type * from '../drafts/claims'
export { toneOf } from '../drafts/claims'
export { givenNames } from '../drafts/given-names'
export type * from '../drafts/guard-draft'
export { channelFaults, claimsAbout, faultText, guardDraft } from '../drafts/guard-draft'
export type * from '../drafts/request-draft'
export { draftRefused, refusedInstruction, requestDraft } from '../drafts/request-draft'
export { callbackBody } from '../events/occurrence'
export type * from '../kit/attempts/act'
export { isOfService } from '../kit/attempts/act'
export type * from '../kit/attempts/attempt'
export {
  attemptFields,
  attemptKey,
  beginAttempt,
  defineAttemptStates,
  newAttempt,
  outcomeOf,
} from '../kit/attempts/attempt'
export { heldLookMaxMs } from '../kit/attempts/held'
export type * from '../kit/attempts/proof'
export { isShownText, judgeShown, meaningOf, shownSince } from '../kit/attempts/proof'
export { afterDeadLetter, runStep } from '../kit/attempts/run-step'
export type * from '../kit/drafts'
export { callerGenerator, defineDraft, draftInputs, requireOneWish } from '../kit/drafts'
export type * from '../kit/post-webhook'
export { newWebhookSecret, postWebhook, webhookAddressFault } from '../kit/post-webhook'
export type * from '../kit/webhook-signature'
export { isWebhookSecret, webhookHeaders } from '../kit/webhook-signature'
export { isMailAddress } from '../outbound/mail/mail-address'
