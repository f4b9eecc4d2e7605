import { isRecord } from '../text/reading'
import type { Envelope } from './enclosed'

const noEvent = { rejected: 'The event has no message' }
const control = { ignored: 'A check of the sender' }

/** What a subscription of CloudWatch Logs delivers. Each event has an id, the same in every delivery. */
export const cloudwatch: Envelope = {
  path: ['logEvents'],
  open(event) {
    if (!isRecord(event) || typeof event.message !== 'string') return noEvent
    const { id, timestamp, message } = event
    if (message.startsWith('CWL CONTROL MESSAGE')) return control
    return { content: message, time: timestamp, ...(typeof id === 'string' && id !== '' ? { id } : {}) }
  },
}
