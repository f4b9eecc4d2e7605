import { createTransport } from 'nodemailer'
import type { Mail } from '../../contracts/mail'
import { type Delivery, ServiceFault } from '../../contracts/service-fault'
import type { Settings } from '../../contracts/settings'
import { deliver, type SentSoFar } from './deliver'
import { isMailAddress } from './mail-address'
import { composed } from './message'

const timeoutMs = 30_000
const infoMax = 300

/** Creates the mail client from the settings. Every message of the product is sent through it. */
export function createMail(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>,
  silenceMs: number = timeoutMs,
): Mail {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === '') return closedMail
  return {
    isConfigured: true,
    from,
    async send(message) {
      if (!isMailAddress(message.to))
        throw new ServiceFault('permanent', 'The recipient is not one e-mail address.', { code: 'recipient' })
      const sent: SentSoFar = { isWhole: false }
      try {
        await deliver(
          { ...optionsOf(url), socketTimeout: silenceMs },
          await composed(from, message),
          sent,
          message.beforeContent,
        )
      } catch (error) {
        if (sent.stopped) throw sent.stopped.reason
        throw faultOf(error, url, sent)
      }
    },
    async verify() {
      try {
        await createTransport(optionsOf(url)).verify()
      } catch (error) {
        throw faultOf(error, url)
      }
    },
  }
}

/** The mail client if no server is set up. */
export const closedMail: Mail = {
  isConfigured: false,
  from: null,
  send: () => Promise.reject(notSetUp()),
  verify: () => Promise.reject(notSetUp()),
}

const notSetUp = () =>
  new ServiceFault('unsupported', 'No mail server is set up. Set SMTP_URL and MAIL_FROM.')

/** `smtps:` encrypts from the first byte. `smtp:` uses STARTTLS, which only a server on this machine may lack. */
function optionsOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLocal,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  }
}

/** Sorts errors. SMTP answers of 5xx are final, except for wrong credentials, which a person can correct. */
function faultOf(error: unknown, url: string, { isWhole }: SentSoFar = { isWhole: false }): ServiceFault {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  const words = withoutSecrets(message ?? String(error), url).slice(0, infoMax)
  if (code === 'EAUTH')
    return new ServiceFault('auth', `The mail server refused the credentials: ${words}`, {
      code: 'smtp_auth',
      delivery: 'unsent',
    })
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutMessage && responseCode !== undefined && responseCode >= 500)
    return new ServiceFault('permanent', `The mail server refused the message: ${words}`, {
      code: String(responseCode),
      delivery: 'refused',
    })
  const delivery: Delivery | undefined =
    responseCode !== undefined ? 'refused' : isWhole ? undefined : 'unsent'
  return new ServiceFault('transient', `The mail server did not accept the message: ${words}`, {
    code: responseCode === undefined ? code : String(responseCode),
    delivery,
  })
}

/** Removes credentials from a server's message, because a server may repeat them. */
function withoutSecrets(text: string, url: string): string {
  const { password } = new URL(url)
  const secrets = [password, decodeURIComponent(password), btoa(decodeURIComponent(password))]
  return secrets
    .filter((secret) => secret !== '')
    .reduce((cut, secret) => cut.replaceAll(secret, '•••'), text)
}
