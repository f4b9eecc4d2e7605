import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { ComposedMail } from './message'

/** How far a message was sent. */
export interface SentSoFar {
  /** All of it was handed to the connection, so the server may have accepted it. */
  isWhole: boolean
  /** Set if `beforeContent` threw. */
  stopped?: { readonly reason: unknown }
}

type Options = ConstructorParameters<typeof SMTPConnection>[0] & {
  readonly auth?: { readonly user: string; readonly pass: string }
}

/**
 * Sends one message over a connection of its own, and records in `sent` how far it came. `beforeContent` runs after the server
 * said that it is ready for the content.
 */
export async function deliver(
  { auth, ...options }: NonNullable<Options>,
  { from, to, raw }: ComposedMail,
  sent: SentSoFar,
  beforeContent?: () => Promise<void>,
): Promise<void> {
  const connection = new SMTPConnection(options)
  const broken = Promise.withResolvers<never>()
  connection.on('error', broken.reject)
  connection.once('end', () => broken.reject(new Error('The connection was closed.')))
  broken.promise.catch(() => {})
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve()))),
      broken.promise,
    ])
  async function* content() {
    try {
      await beforeContent?.()
    } catch (reason) {
      sent.stopped = { reason }
      throw reason
    }
    yield raw
    sent.isWhole = true
  }
  try {
    await step((done) => connection.connect(done))
    if (auth) await step((done) => connection.login({ ...auth, credentials: auth }, done))
    const envelope = { from, to: [...to], size: raw.length }
    await step((done) => connection.send(envelope, Readable.from(content()), done))
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}
