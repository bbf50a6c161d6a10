// Blocks of code on the site that no test runs, each with the reason. A block is named by how it begins.
export type Exception = { readonly page: RegExp; readonly begins: string; readonly why: string }

/** Of the guides and the first page. */
export const OF_GUIDES: readonly Exception[] = [
  {
    page: /home/,
    begins: 'git clone',
    why: 'the steps of README, which readme.test.ts runs in this checkout',
  },
  {
    page: /^docs\/guides\//,
    begins: 'npx cowrie sandbox',
    why: 'starts the sandbox in which everything else here is run: trials/stories/first-paid.test.ts starts it as a user does',
  },
  {
    page: /^docs\/guides\//,
    begins: 'npx cowrie listen',
    why: 'runs until it is stopped: trials/stories/cli.test.ts runs it',
  },
  {
    page: /^docs\/guides\//,
    begins: 'npx cowrie exam',
    why: 'handlers.test.ts runs it over every handler that is shown',
  },
  {
    page: /^docs\/guides\//,
    begins: 'export COWRIE_URL=',
    why: 'settings of a shell: what it sets is what every program here is run with',
  },
]

/** Of README. */
export const OF_README: readonly Exception[] = [
  {
    page: /^README/,
    begins: 'git clone <address>',
    why: 'fetches the repository that this test is part of; first-paid.test.ts starts the sandbox as a user does',
  },
  {
    page: /^README/,
    begins: 'npx cowrie listen',
    why: 'runs until it is stopped: trials/stories/cli.test.ts runs it',
  },
]

/** Of the pages about tools and operating, and the tables of the reference. */
const OF_OPERATING: readonly Exception[] = [
  {
    page: /going-live/,
    begins: 'apt-get install git',
    why: 'installs packages as root; a test that did so would change the machine of whoever runs it',
  },
  {
    page: /going-live/,
    begins: 'git clone <address>',
    why: 'fetches the repository that this test is part of; .ci/run begins with npm ci',
  },
  {
    page: /install-debian/,
    begins: 'sha256sum --check',
    why: 'makes users of the system and writes to /opt as root; `npm run check:package` installs the same files into a folder',
  },
  {
    page: /install-debian/,
    begins: 'umask 077 && mkdir -p /etc/cowrie',
    why: 'writes to /etc as root; the same steps of going-live.md are run, on a cluster of their own',
  },
  {
    page: /install-debian/,
    begins: 'cp cowrie-api@.service',
    why: 'starts services of the system as root; that the units are valid is checked where systemd-analyze is installed',
  },
  {
    page: /install-debian/,
    begins: 'mkdir /opt/cowrie.new',
    why: 'replaces an installation as root; `npm run trial -- upgrade` does it under load, in folders of its own',
  },
  {
    page: /containers/,
    begins: 'podman build',
    why: 'needs a container engine; `npm run image` builds the image with buildah and starts what is in it',
  },
  {
    page: /containers/,
    begins: 'umask 077 && mkdir -p secrets/db',
    why: 'asks the image for its SQL, which needs a container engine, and gives files to another user as root',
  },
  {
    page: /containers/,
    begins: 'PUBLIC_NAME=pay.example docker compose',
    why: 'needs Docker and a public name',
  },
  {
    page: /kubernetes/,
    begins: 'umask 077\necho "1:$(openssl',
    why: 'needs a cluster; tools/helm/chart.test.ts starts from Secrets of the same form',
  },
  { page: /kubernetes/, begins: 'helm install', why: 'needs a cluster; the chart as rendered is what is tested' },
  { page: /kubernetes/, begins: 'kubectl -n payments exec', why: 'needs a cluster' },
  { page: /kubernetes/, begins: 'helm upgrade', why: 'needs a cluster; the chart as rendered is what is tested' },
  {
    page: /backup/,
    begins: 'pgbackrest --stanza=cell_01 stanza-create',
    why: 'needs a server that archives for a while; `npm run trial -- restore` does the same and restores from it',
  },
  {
    page: /failover/,
    begins: 'apt-get install --no-install-recommends postgresql-15-auto-failover',
    why: 'installs packages and stops a service of the system as root',
  },
  {
    page: /failover/,
    begins: 'pg_autoctl config set',
    why: 'changes a node that runs; `npm run trial -- failover` sets both on three of them, with a shorter time',
  },
  {
    page: /failover/,
    begins: 'bootstrap:',
    why: 'settings of Patroni, which is not in use here: nobody has tried them, and the page says so',
  },
  {
    page: /custodians/,
    begins: 'MODULE=/usr/lib/softhsm',
    why: 'needs SoftHSM2 and PINs of two people; trials/stories/custodians.test.ts makes its tokens with these commands',
  },
  {
    page: /custodians/,
    begins: "CUSTODIANS='amina=",
    why: 'settings: trials/stories/custodians.test.ts starts gateways with them',
  },
  {
    page: /custodians/,
    begins: 'echo "1:$(npx cowrie run keys new)"',
    why: 'needs custodians; trials/stories/custodians.test.ts makes its keys so',
  },
  {
    page: /custodians/,
    begins: 'npx cowrie run keys new --for',
    why: 'needs custodians; trials/stories/custodians.test.ts makes its keys so',
  },
  {
    page: /custodians/,
    begins: "sed 's/^1://'",
    why: 'needs custodians; trials/stories/custodians.test.ts wraps a key anew',
  },
  {
    page: /custodians/,
    begins: '#!/bin/sh -e\ncase "$1" in\n  wrap) vault',
    why: 'needs a Vault; apps/gateway/src/outside/custody.test.ts has a program of the same contract',
  },
  {
    page: /custodians/,
    begins: '#!/bin/sh -e\ncase "$1" in\n  wrap) aws',
    why: 'needs an account of AWS; nobody has tried it yet',
  },
  {
    page: /custodians/,
    begins: 'npx cowrie run keys heads-key',
    why: 'needs a token; trials/stories/custodians.test.ts signs and verifies so',
  },
  {
    page: /reference\/states/,
    begins: 'stateDiagram-v2',
    why: 'a drawing, made of the state machines that the gateway runs; tools/generate.test.ts holds that it is fresh',
  },
]

export const EXCEPTIONS: readonly Exception[] = [...OF_GUIDES, ...OF_OPERATING]
