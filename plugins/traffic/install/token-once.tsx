/** @jsxImportSource renown/web */
import { ButtonLink, Card, Copyable, Notice, Row } from 'renown/web'
import type { ShownToken } from '../sites/site-acts'

/** A forwarder token, shown only once. */
export function TokenOnce({ shown, saved }: { readonly shown: ShownToken; readonly saved: string }) {
  return (
    <Card title={`The forwarder token of ${shown.name}`}>
      <Notice tone="warn" title="This is the only time you see it">
        Copy it now: Renown stores only a hash.{' '}
        {shown.is_replaced && 'The old token no longer works, so every sender needs this one. '}
        Anybody with the token can send hits of <bdi title={shown.domain}>{shown.name}</bdi>, and nothing
        else.
      </Notice>
      <Copyable label="the forwarder token" value={shown.forwarder_token} />
      <Row>
        <ButtonLink href={saved} kind="primary">
          I have saved it
        </ButtonLink>
      </Row>
    </Card>
  )
}
