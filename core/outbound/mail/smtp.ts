import { createTransport, type Transporter } from 'nodemailer'
import type { Mail, MailMessage } from '../../contracts/mail'
import { ServiceFault } from '../../contracts/service-fault'
import type { Settings } from '../../contracts/settings'
import { isMailAddress } from './mail-address'

const timeoutMs = 30_000
const infoMax = 300

/** Creates the mail client from the settings. Every message of the product is sent through it. */
export function createMail(settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>): Mail {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === '') return closedMail
  let transport: Transporter | undefined
  const open = () => {
    transport ??= createTransport({ ...optionsOf(url), disableFileAccess: true, disableUrlAccess: true })
    return transport
  }
  return {
    isConfigured: true,
    from,
    async send(message) {
      if (!isMailAddress(message.to))
        throw new ServiceFault('permanent', 'The recipient is not one e-mail address.', { code: 'recipient' })
      try {
        await open().sendMail(mailOf(from, message))
      } catch (error) {
        throw faultOf(error, url)
      }
    },
    async verify() {
      try {
        await open().verify()
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

const mailOf = (from: string, { to, subject, text, html, messageId, unsubscribeUrl }: MailMessage) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId: `<${messageId}>`,
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl === undefined
      ? {}
      : {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
  },
})

/** Sorts errors. SMTP answers of 5xx are final, except for wrong credentials, which a person can correct. */
function faultOf(error: unknown, url: string): ServiceFault {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  const words = withoutSecrets(message ?? String(error), url).slice(0, infoMax)
  if (code === 'EAUTH')
    return new ServiceFault('auth', `The mail server refused the credentials: ${words}`, {
      code: 'smtp_auth',
    })
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutMessage && responseCode !== undefined && responseCode >= 500)
    return new ServiceFault('permanent', `The mail server refused the message: ${words}`, {
      code: String(responseCode),
    })
  return new ServiceFault('transient', `The mail server did not accept the message: ${words}`, {
    code: responseCode === undefined ? code : String(responseCode),
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
