import { problem } from './problem'

/** A refusal of a body that was sent while others are read. */
export const busy = problem('unavailable', 'Other large batches are being read. Send this batch again.', 1)
/** A refusal of a body that was slow. */
export const slow = problem('unavailable', 'The body took too long to arrive. Send it again.', 1)
/** A refusal of a body that was too large. */
export const tooLarge = (bytes: number, where: string) =>
  problem('payload_too_large', `A body may have ${bytes} bytes ${where}. Send it in parts.`)
/** A refusal of a body that was cut off. */
export const torn = problem('malformed_body', 'The body is incomplete.')
