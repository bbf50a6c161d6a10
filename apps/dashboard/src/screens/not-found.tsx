import { Link } from '@tanstack/react-router'
import { Failed } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'

export const NotFound = () => (
  <Page title="This screen does not exist" lead="The address may be mistyped, or your role does not see it.">
    <Link to="/">Home</Link>
  </Page>
)

/** A screen that could not be shown: what it said, and the request. */
export const Broken = ({ error }: { readonly error: unknown }) => (
  <Page title="This screen could not be shown">
    <Failed error={error} />
  </Page>
)
