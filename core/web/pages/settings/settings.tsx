/** @jsxImportSource ../../kit/jsx */

import type { OAuth } from '../../../auth/oauth'
import type { Members } from '../../../auth/people/members'
import type { OwnerContext } from '../../../contracts/plugin'
import type { Audit } from '../../../tenancy/audit/audit'
import type { AuditAction } from '../../../tenancy/audit/audit-actions'
import type { WorkspaceData } from '../../../transfer/workspace'
import type { Downloads } from '../../framework/downloads/downloads'
import type { SignedIn } from '../../framework/route'
import type { Children } from '../../kit/jsx/jsx-runtime'
import { Button, ButtonLink, Card, Form, Head, Notice, Row } from '../../kit/parts/kit'

/** The dependencies of the settings pages. */
export interface SettingsDeps {
  readonly owner: OwnerContext
  readonly audit: Audit
  readonly oauth: Pick<OAuth, 'grants'>
  readonly members: Members
  readonly workspaceData: WorkspaceData
  readonly downloads: Downloads
}

/** Records an action of a person in the audit log. */
export const note = (
  { audit }: SettingsDeps,
  { person, host }: SignedIn,
  action: AuditAction,
  subject?: string,
): Promise<void> =>
  audit.record({ agency_id: person.agency_id, user_id: person.id, host: host.origin, action, subject })

/** A name that another person chose, with its own text direction. */
export const Name = ({ children }: { readonly children: Children }) => <bdi>{children}</bdi>

/** Returns the host of an origin. */
export const hostOf = (origin: string) => URL.parse(origin)?.host ?? origin

interface SureProps {
  /** The name of the thing that is about to end. */
  readonly title: string
  readonly children: Children
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  /** The text on the button, with the thing that it ends. */
  readonly button: Children
  readonly kind?: 'danger' | 'primary'
  readonly back: string
}

/** Asks for confirmation before something ends, and says what stops working. */
export const confirmDialog = (
  { page, csrf }: SignedIn,
  { title, children, action, hidden = {}, button, kind = 'danger', back }: SureProps,
): Response =>
  page({
    title,
    children: (
      <Card>
        <Head title={title} />
        {children}
        <Form action={action} csrf={csrf} hidden={hidden}>
          <Row>
            <Button kind={kind}>{button}</Button>
            <ButtonLink href={back} kind="quiet">
              Cancel
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })

/** The notice of a finished action, by the word in the address. Other words show nothing. */
export function Done({ visit, told }: { visit: SignedIn; told: Readonly<Record<string, string>> }) {
  const word = visit.query.get('done') ?? ''
  return Object.hasOwn(told, word) ? <Notice tone="good">{told[word]}</Notice> : null
}
