/** @jsxImportSource ../../kit/jsx */
import type { Person } from '../../../auth/sessions'
import { oneLine } from '../../../contracts/one-line'
import type { OwnerContext } from '../../../contracts/plugin'
import { isServiceFault } from '../../../contracts/service-fault'
import type { SignedIn } from '../../framework/route'
import { ButtonLink, Card, CopyField, Head, Notice, Row } from '../../kit/parts/kit'
import { Name } from './settings'

/** How the link of an invitation was delivered. */
export type Delivery =
  | { readonly by: 'mail'; readonly to: string }
  /**
   * `fault` is the reason why the mail could not be sent. Null if nobody requested it, or if no mail server
   * is set up.
   */
  | { readonly by: 'hand'; readonly fault: string | null; readonly isConfigured: boolean }

interface Invitation {
  /** The email address. If empty, no mail is sent. */
  readonly to: string
  readonly link: string
  /** Name of the workspace. */
  readonly workspace: string
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * Mails the link if there is an address and a mail server. If the mail cannot be sent, the owner gets the
 * link.
 */
export async function deliver(
  { owner }: { readonly owner: OwnerContext },
  { brand, host }: Pick<SignedIn, 'brand' | 'host'>,
  { to, link, workspace }: Invitation,
): Promise<Delivery> {
  const { mail } = owner.outbound
  if (to === '' || !mail.isConfigured) return { by: 'hand', fault: null, isConfigured: mail.isConfigured }
  const from = oneLine(brand, 100)
  const place = oneLine(workspace, 100)
  const subject = `${from}: your access to ${place}`
  const words = `You can sign in to ${place} at ${from}. The link works once, within 24 hours.`
  const text = `${words}\n\n${link}\n\nIf you do not expect this, ignore it.`
  const html = `<!doctype html><html><body><p>${escapeText(words)}</p><p><a href="${escapeText(link)}">Sign in</a></p><p>If you do not expect this, ignore it.</p></body></html>`
  const messageId = `${crypto.randomUUID()}@${new URL(host.origin).hostname}`
  try {
    await mail.send({ to, subject, text, html, messageId })
    return { by: 'mail', to }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    owner.log.warn('an invitation could not be mailed', { error: error.message })
    return { by: 'hand', fault: error.message, isConfigured: true }
  }
}

interface Shown {
  readonly person: Pick<Person, 'name' | 'email'>
  readonly link: string
  readonly delivery: Delivery
  readonly back: string
}

/** Shows where the mail was sent, or shows the link once. */
export function showInvitation({ page }: SignedIn, { person, link, delivery, back }: Shown): Response {
  const name = person.name ?? person.email ?? 'no name yet'
  if (delivery.by === 'mail')
    return page({
      title: `${name} is invited`,
      children: (
        <Card>
          <Head title={`${name} is invited`}>
            The mail server accepted the link for <Name>{delivery.to}</Name>. It works once, within 24 hours.
          </Head>
          <Row>
            <ButtonLink href={back} kind="primary">
              Back
            </ButtonLink>
          </Row>
        </Card>
      ),
    })
  return page({
    title: `A link for ${name}`,
    copies: true,
    children: (
      <Card>
        <Head title={`A link for ${name}`}>
          {delivery.isConfigured
            ? 'Send it to them yourself. It works once, within 24 hours.'
            : 'Send it to them yourself, because no mail server is set up. It works once, within 24 hours.'}
        </Head>
        {delivery.fault !== null && (
          <Notice tone="bad" title="The mail could not be sent">
            {delivery.fault}
          </Notice>
        )}
        <Notice tone="warn" title="This is the only time you see it">
          Anybody who opens it signs in as <Name>{name}</Name>. Earlier links of theirs have ended.
        </Notice>
        <CopyField name="link" label="Link" value={link} />
        <Row>
          <ButtonLink href={back} kind="primary">
            I have sent it
          </ButtonLink>
        </Row>
      </Card>
    ),
  })
}
