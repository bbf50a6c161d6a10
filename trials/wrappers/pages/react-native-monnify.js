export { generateHtml } from 'react-native-monnify/dist/utils/generateHtml.js'
