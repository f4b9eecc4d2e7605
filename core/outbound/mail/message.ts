import addressparser from 'nodemailer/lib/addressparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailMessage } from '../../contracts/mail'
import { oneLine } from '../../contracts/one-line'

const nameMax = 100

/** A message as it goes over the wire. */
export interface ComposedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
}

/** Composes a message. Nothing in it is read from files or from the web. */
export async function composed(sender: string, message: MailMessage): Promise<ComposedMail> {
  const { to, subject, text, html, messageId, unsubscribeUrl, fromName, attachments = [] } = message
  const [{ name = '', address = '' } = {}] = addressparser(sender, { flatten: true })
  const node = new MailComposer({
    from: { name: fromName === undefined ? name : oneLine(fromName, nameMax), address },
    to: { name: '', address: to },
    subject: oneLine(subject, 200),
    text,
    html,
    messageId: `<${messageId}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: attachments.map(({ filename, type, bytes, contentId }) => ({
      filename,
      contentType: type,
      content: Buffer.from(bytes),
      ...(contentId === undefined
        ? { contentDisposition: 'attachment' as const }
        : { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  }).compile()
  // The envelope has domains in ASCII, as SMTP wants them.
  const envelope = node.getEnvelope()
  const raw = await node.build()
  return { from: envelope.from === false ? address : envelope.from, to: envelope.to, raw }
}
