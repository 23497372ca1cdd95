/**
 * Reading pages without text by a program for optical character recognition. The child that reads a hostile file may start no
 * program: it makes the pixels of a page and asks its parent, which gives them to a process of the program's own.
 */

/** A page as grey pixels, row by row from the upper left corner: 0 is black. */
export type PageRaster = { width: number; height: number; dpi: number; pixels: Uint8Array }

/** What a child asks first: the size of a page. The pixels follow in strips, when they are asked for. */
export type RasterHead = Omit<PageRaster, 'pixels'>

/** What the program answers for a page: its words as tab-separated values, or why there are none. */
export type OcrAnswer = { tsv: Uint8Array } | { failed: string }

/** Whether pages of a file can be read so: the languages as the program names them and the most pages, or what is lacking. */
export type OcrOffer = { languages: string; pages: number } | { lacking: string }

/** How a reader has its pages read. */
export type AskOcr = (raster: PageRaster) => Promise<OcrAnswer>

export const OCR_LIMITS = {
  /** Pixels of a page for the program: an A4 page at 300 dpi has 8.7 million. Larger pages are made smaller. */
  pixels: 20_000_000,
  /** Pixels of one picture in a PDF: an A4 page at 600 dpi has 34.8 million. Larger pictures are not decoded. */
  picturePixels: 40_000_000,
  /** The resolution at which pictures are given to the program, in dots per inch; finer ones are made coarser. */
  dpi: 300,
  /** How long the program may work on a page. */
  seconds: 120,
  /** Bytes of its answer for a page: a page full of words has about 60 kB. */
  answerBytes: 2_000_000,
  /** Memory of the program, in MB; pages of 8.7 million pixels take 118. */
  memory: 1024,
  /** After so many pages one after another for which the program failed, no more are tried. */
  failures: 3,
  /** Seconds of processor time that a child may spend on the pictures of a file. */
  pictureSeconds: 480,
}

/** Bytes of the strips in which pixels go from process to process. */
export const STRIP_BYTES = 512 * 1024
