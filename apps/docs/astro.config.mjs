// The site of guides and reference. `npm run docs:build` writes its pages from docs/ and the contract first
// (tools/site/build.ts).
import { readFileSync } from 'node:fs'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

const sidebar = JSON.parse(readFileSync(new URL('./src/sidebar.json', import.meta.url), 'utf8'))

export default defineConfig({
  output: 'static',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Cowrie',
      description: 'A payment gateway that anyone can run.',
      favicon: '/favicon.svg',
      logo: { src: './public/favicon.svg', alt: '' },
      customCss: ['@cowrie/design/tokens.css', './src/site.css'],
      sidebar,
      credits: false,
      lastUpdated: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 2 },
      expressiveCode: {
        themes: ['github-dark-high-contrast', 'github-light-high-contrast'],
        useStarlightUiThemeColors: true,
        defaultProps: { frame: 'none' },
        styleOverrides: { borderRadius: '7px', codeFontFamily: 'var(--mono)', uiFontFamily: 'var(--sans)' },
      },
    }),
  ],
})
