import { defineWords } from 'renown/pages'
import english from './en'

/** The words of webhooks in the frame. */
export const webhookWords = defineWords('webhooks', import.meta.dir, english)
