/** @jsxImportSource ../../kit/jsx */

import type { RefusedApp } from '../../../auth/oauth/authorize'
import type { Visit } from '../../framework/route'
import { ButtonLink, Card, Facts, Head, Row } from '../../kit/parts/kit'

/** Shows the error of an app's request, with a link that reports it to the app. */
export const refusedPage = (visit: Visit, { client, why, back }: RefusedApp): Response =>
  visit.page({
    title: 'The app cannot be connected',
    status: 400,
    children: (
      <Card>
        <Head title="The app cannot be connected">
          An app asked to work with your data in a way that Renown does not support. Nothing was shared.
        </Head>
        <Facts
          of={[
            ['App', <bdi>{client.name}</bdi>],
            ['Problem', `${why}.`],
            ['Returns to', <bdi>{back.host}</bdi>],
          ]}
        />
        <p class="hint">Only go back if you started this in an app that you know.</p>
        <Row>
          <ButtonLink href={back.url}>Go back to the app</ButtonLink>
        </Row>
      </Card>
    ),
  })
