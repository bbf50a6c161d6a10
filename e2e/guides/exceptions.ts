// Blocks of code on the site that no test runs, each with the reason. A block is named by how it begins.
export type Exception = { readonly page: RegExp; readonly begins: string; readonly why: string }

export const EXCEPTIONS: readonly Exception[] = [
  {
    page: /^docs\/guides\/|home/,
    begins: 'npx cowrie sandbox',
    why: 'starts the sandbox in which everything else here is run: e2e/first-paid.test.ts starts it as a user does',
  },
  { page: /^docs\/guides\//, begins: 'npx cowrie listen', why: 'runs until it is stopped: e2e/cli.test.ts runs it' },
  { page: /^docs\/guides\//, begins: 'npx cowrie exam', why: 'packages/cli runs the exam over three handlers' },
  {
    page: /^docs\/guides\//,
    begins: 'export COWRIE_URL=',
    why: 'settings of a shell: what it sets is what every program here is run with',
  },
]
