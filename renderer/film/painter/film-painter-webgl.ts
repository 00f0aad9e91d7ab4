import { halved, type FilmPixels } from "./film-pixels.ts";
import type { FilmFrame, FilmPainter } from "./film-painter.ts";

const vertexSource = `#version 300 es
uniform vec2 canvas; uniform vec2 film; uniform mat3 place; out vec2 at;
void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 onCanvas = (place * vec3(at * film, 1.0)).xy;
  gl_Position = vec4(onCanvas.x / canvas.x * 2.0 - 1.0, 1.0 - onCanvas.y / canvas.y * 2.0, 0.0, 1.0);
}`;

/** Applies window, level, inversion and sharpening per fragment, so that changing them uploads no texture. */
const fragmentSource = `#version 300 es
precision highp float;
uniform sampler2D samples; uniform vec2 film; uniform vec2 grey; uniform bool isInverted; uniform float sharpen;
in vec2 at; out vec4 colour;
float sampleAt(vec2 where) { return texture(samples, where, -0.5).r; }
void main() {
  float value = sampleAt(at);
  if (sharpen > 0.0) {
    vec2 step = 1.5 / film;
    float around = sampleAt(at + vec2(step.x, 0.0)) + sampleAt(at - vec2(step.x, 0.0)) + sampleAt(at + vec2(0.0, step.y)) + sampleAt(at - vec2(0.0, step.y));
    value += sharpen * (value - around / 4.0);
  }
  float shade = clamp((value - grey.x) / grey.y + 0.5, 0.0, 1.0);
  if (isInverted) shade = 1.0 - shade;
  colour = vec4(vec3(shade), 1.0);
}`;

const uniformNames = ["canvas", "film", "place", "grey", "isInverted", "sharpen"] as const;

/** Shades one texture per frame: 8 bit, or float for deeper films. @returns null without WebGL2 */
export function createWebglPainter(canvas: HTMLCanvasElement): FilmPainter | null {
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "low-power" });
  if (!gl) return null;
  let film: FilmPixels | null = null;
  let last: FilmFrame | null = null;
  let uniforms = prepare(gl);
  const paint = (frame: FilmFrame) => {
    last = frame;
    draw(gl, uniforms, film, frame);
  };
  const restore = () => {
    uniforms = prepare(gl);
    if (film) upload(gl, film);
    if (last) paint(last);
  };
  const keep = (event: Event) => event.preventDefault();
  canvas.addEventListener("webglcontextlost", keep);
  canvas.addEventListener("webglcontextrestored", restore);
  return {
    kind: "webgl",
    setFilm: (next) => {
      film = next;
      if (next) upload(gl, next);
    },
    paint,
    dispose: () => {
      canvas.removeEventListener("webglcontextlost", keep);
      canvas.removeEventListener("webglcontextrestored", restore);
    },
  };
}

type Uniforms = Readonly<Record<(typeof uniformNames)[number], WebGLUniformLocation | null>>;

function prepare(gl: WebGL2RenderingContext): Uniforms {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) break; // The context is lost and will be restored.
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  return Object.fromEntries(uniformNames.map((name) => [name, gl.getUniformLocation(program, name)])) as Uniforms;
}

function upload(gl: WebGL2RenderingContext, whole: FilmPixels): void {
  const largest = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  let film = whole;
  while (film.widthPx > largest || film.heightPx > largest) film = halved(film);
  const { widthPx, heightPx, data } = film;
  let isFiltered = true;
  if (data instanceof Uint8Array) {
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, widthPx, heightPx, 0, gl.RED, gl.UNSIGNED_BYTE, data);
  } else {
    isFiltered =
      gl.getExtension("OES_texture_float_linear") !== null && gl.getExtension("EXT_color_buffer_float") !== null;
    const samples = new Float32Array(data.length);
    for (let index = 0; index < samples.length; index += 1) samples[index] = (data[index] as number) / film.most;
    gl.texImage2D(gl.TEXTURE_2D, 0, isFiltered ? gl.R32F : gl.R16F, widthPx, heightPx, 0, gl.RED, gl.FLOAT, samples);
  }
  if (isFiltered) gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, isFiltered ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

function draw(
  gl: WebGL2RenderingContext,
  uniforms: Uniforms,
  film: FilmPixels | null,
  { matrix, window, isInverted, sharpen }: FilmFrame,
): void {
  gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  if (!film) return;
  const { a, b, c, d, e, f } = matrix;
  gl.uniform2f(uniforms.canvas, gl.drawingBufferWidth, gl.drawingBufferHeight);
  gl.uniform2f(uniforms.film, film.widthPx, film.heightPx);
  gl.uniformMatrix3fv(uniforms.place, false, [a, b, 0, c, d, 0, e, f, 1]);
  gl.uniform2f(uniforms.grey, window.centre, window.width);
  gl.uniform1i(uniforms.isInverted, isInverted ? 1 : 0);
  gl.uniform1f(uniforms.sharpen, sharpen);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}
