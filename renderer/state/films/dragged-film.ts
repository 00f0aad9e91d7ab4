/** Data type under which a dragged thumbnail carries its film's id. */
export const filmDragType = "application/x-corvet-film";
