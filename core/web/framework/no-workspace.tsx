/** @jsxImportSource ../kit/jsx */

import { Card, Head } from '../kit/parts/kit'
import type { SignedIn } from './route'

/** The page for a person without a workspace. */
export const noWorkspace = ({ page }: SignedIn): Response =>
  page({
    title: 'No workspace yet',
    status: 404,
    children: (
      <Card>
        <Head title="No workspace yet">
          You can sign in, but you have no access to a workspace. Ask the owner who invited you.
        </Head>
      </Card>
    ),
  })
