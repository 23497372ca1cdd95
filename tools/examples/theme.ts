const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`

const font = (kind: string, face: string) =>
  `<a:${kind}><a:latin typeface="${face}"/><a:ea typeface=""/><a:cs typeface=""/></a:${kind}>`

const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
const stroke = `<a:ln w="9525">${fill}</a:ln>`
const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>'

/** The smallest theme that PowerPoint takes (ECMA-376 part 1, 20.1.6): twelve colours, two fonts, plain styles. */
export const THEME = `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Plain"><a:themeElements><a:clrScheme name="Plain">${[
  colour('dk1', '1B2A38'),
  colour('lt1', 'FFFFFF'),
  colour('dk2', '2F5D50'),
  colour('lt2', 'F2EFE6'),
  colour('accent1', '2F5D50'),
  colour('accent2', 'B5562F'),
  colour('accent3', '3C6E9E'),
  colour('accent4', 'C9A227'),
  colour('accent5', '6B4E71'),
  colour('accent6', '7A8B8B'),
  colour('hlink', '3C6E9E'),
  colour('folHlink', '6B4E71'),
].join(
  '',
)}</a:clrScheme><a:fontScheme name="Plain">${font('majorFont', 'Liberation Sans')}${font('minorFont', 'Liberation Sans')}</a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${stroke.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
