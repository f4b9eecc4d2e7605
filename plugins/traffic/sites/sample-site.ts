import type { Row } from 'renown'
import type { AiTrafficSite } from '../records/AiTrafficSite'

/** The hash of the token of a sample site. No text has it. */
export const sampleTokenHash = '0'.repeat(64)

/** Whether a site belongs to the demo, which gets no new hits. */
export const isSample = ({ forwarder_token_hash }: Row<typeof AiTrafficSite>): boolean =>
  forwarder_token_hash === sampleTokenHash
